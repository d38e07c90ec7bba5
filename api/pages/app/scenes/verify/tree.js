// @ts-check
// The Merkle tree over the entries (RFC 9162, section 2.1).
import { areSame, hash } from "./bytes.js";

const LEAF = Uint8Array.of(0), NODES = Uint8Array.of(1);

/** @param {Uint8Array | string} data */
export const hashLeaf = (data) => hash(LEAF, data);
/** @param {Uint8Array} left @param {Uint8Array} right */
const hashNodes = (left, right) => hash(NODES, left, right);

/** Return the roots by the number of leaves that they cover, from none. @param {Uint8Array[]} leaves */
export function computeRoots(leaves) {
  const roots = [hash()];
  /** @type {Uint8Array[]} the roots of the perfect trees that the leaves fill, largest first */
  const full = [];
  leaves.forEach((leaf, size) => {
    let top = leaf;
    for (let rest = size; rest & 1; rest >>= 1) top = hashNodes(/** @type {Uint8Array} */ (full.pop()), top);
    full.push(top);
    let root = top;
    for (let at = full.length - 2; at >= 0; at--) root = hashNodes(/** @type {Uint8Array} */ (full[at]), root);
    roots.push(root);
  });
  return roots;
}

/** Return whether the path leads from a leaf to the root over `size` (2.1.3.2). @param {Uint8Array} leaf @param {number} index @param {number} size @param {Uint8Array[]} path @param {Uint8Array} root */
export function isIncluded(leaf, index, size, path, root) {
  if (!(0 <= index && index < size && size <= Number.MAX_SAFE_INTEGER)) return false;
  let at = BigInt(index), last = BigInt(size - 1), found = leaf;
  for (const step of path) {
    if (last === 0n) return false;
    if (at & 1n || at === last) {
      found = hashNodes(step, found);
      while (!(at & 1n) && at) [at, last] = [at >> 1n, last >> 1n];
    } else found = hashNodes(found, step);
    [at, last] = [at >> 1n, last >> 1n];
  }
  return last === 0n && areSame(found, root);
}

// Of the vendored noble-hashes: what the page uses.
export const sha256: any, sha512: any;

// Of the vendored noble-ed25519: what the page uses.
export const hashes: any, verify: any, sign: any, getPublicKey: any;

// Of the vendored noble-hashes: what the page uses.
export const hmac: any;

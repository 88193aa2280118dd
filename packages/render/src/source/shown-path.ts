/** The placeholder in messages of Argo CD for the directory of a source. */
const root = '<path to cached source>';

/** A path of a tree, as Argo CD's messages show it. */
export const shownPath = (path: string): string => (path === '' ? root : `${root}/${path}`);

/** Argo CD masks the name of the folder up to the next space or slash, with a quote that ends there. */
export const maskedPaths = (message: string): string => message.replaceAll(/<path to cached source>[^ /]*/gu, root);

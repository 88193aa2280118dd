/** What reads local folders only, without the modules for network access: for commands that must start fast. */
export { SourceError } from './source-error.ts';
export { folderTree } from './tree/folder-tree.ts';

export { nameOf } from './application-text.ts';
export { explain, headline } from './explain.ts';
export type { Chapter, ExplainInput, Reason } from './reason.ts';
export { remedyForSource } from './source.ts';
export { type RowState, type SyncGroup, type SyncRow, type SyncView, syncView } from './sync-view.ts';
export type { TreeNode } from './tree-node.ts';

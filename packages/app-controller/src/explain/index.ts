export { nameOf } from './application-text.ts';
export { type FailedPart, failedPart } from './comparison-failure.ts';
export { explain, headline } from './explain.ts';
export type { Chapter, ExplainInput, Reason } from './reason.ts';
export { remedyForSource } from './source.ts';
export { type RowState, type SyncGroup, type SyncRow, type SyncView, syncView } from './sync-view.ts';
export { idOf, rootNode, statusTree, type TreeNode } from './tree-node.ts';

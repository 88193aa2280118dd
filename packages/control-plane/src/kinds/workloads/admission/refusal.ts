import { refuse } from '../../../errors.ts';
import type { Draft } from '../../../resource.ts';

const pods = { group: '', plural: 'pods', kind: 'Pod' };

/** An admission plugin says no to a pod. */
export const refusePod = (draft: Draft, why: string) => refuse.forbidden(pods, draft.metadata.name ?? '', why);

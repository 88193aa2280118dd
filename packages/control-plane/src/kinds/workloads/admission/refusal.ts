import type { PodFields } from '@fairlead/apimachinery/fields';
import { refuse } from '../../../errors.ts';

const pods = { group: '', plural: 'pods', kind: 'Pod' };

/** An admission plugin says no to a pod. */
export const refusePod = (draft: PodFields, why: string) => refuse.forbidden(pods, draft.metadata.name ?? '', why);

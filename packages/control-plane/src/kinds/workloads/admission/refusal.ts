import type { PodFields } from '@fairlead/apimachinery/fields';
import { refuse } from '../../../errors.ts';

const pods = { group: '', plural: 'pods', kind: 'Pod' };

/** The rejection of a pod by an admission plugin. */
export const refusePod = (draft: PodFields, why: string) => refuse.forbidden(pods, draft.metadata.name ?? '', why);

import type { Informer } from '@fairlead/kube';
import type { Pod } from './objects.ts';

const byNode = 'pod/node';
const nodeOf = ({ spec }: Pod): string[] => (spec.nodeName ? [spec.nodeName] : []);

/** Index of pods by node. */
export const indexPodsByNode = (pods: Informer<Pod>): Informer<Pod> => pods.addIndex(byNode, nodeOf);
export const podsOn = (pods: Informer<Pod>, node: string): Pod[] => pods.byIndex(byNode, node);

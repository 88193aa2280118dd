import type { Informer } from '@fairlead/kube';
import { type Claim, claimNames, type Pod, type Volume } from '../objects.ts';
import { classOfClaim, classOfVolume } from './matching.ts';

const byClass = 'volume/class';
const byClaim = 'volume/claim';
const unbound = 'claim/unbound';
const ofPods = 'pod/claims';

const classesOf = (volume: Volume): string[] => [classOfVolume(volume)];
const claimsOf = ({ spec }: Volume): string[] =>
  spec.claimRef ? [`${spec.claimRef.namespace}/${spec.claimRef.name}`] : [];
const unboundClasses = (claim: Claim): string[] => (claim.spec.volumeName ? [] : [classOfClaim(claim)]);
const podClaims = (pod: Pod): string[] => claimNames(pod).map(({ name }) => `${pod.metadata.namespace}/${name}`);

/** Index of volumes by class and by claim. */
export const indexVolumes = (volumes: Informer<Volume>): Informer<Volume> =>
  volumes.addIndex(byClass, classesOf).addIndex(byClaim, claimsOf);
export const volumesOfClass = (volumes: Informer<Volume>, name: string): Volume[] => volumes.byIndex(byClass, name);
export const volumesFor = (volumes: Informer<Volume>, claim: string): Volume[] => volumes.byIndex(byClaim, claim);

/** Index of claims without a volume by class. */
export const indexClaims = (claims: Informer<Claim>): Informer<Claim> => claims.addIndex(unbound, unboundClasses);
export const unboundClaims = (claims: Informer<Claim>, className: string): Claim[] =>
  claims.byIndex(unbound, className);

/** Index of pods by claim. */
export const indexPodsByClaim = (pods: Informer<Pod>): Informer<Pod> => pods.addIndex(ofPods, podClaims);
export const podsUsing = (pods: Informer<Pod>, claim: string): Pod[] => pods.byIndex(ofPods, claim);

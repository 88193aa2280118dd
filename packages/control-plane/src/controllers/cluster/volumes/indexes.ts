import type { Informer } from '@fairlead/kube';
import type { Volume } from '../objects.ts';
import { classOfVolume } from './matching.ts';

const byClass = 'volume/class';
const classesOf = (volume: Volume): string[] => [classOfVolume(volume)];

/** Volumes can be found by their class. */
export const indexVolumes = (volumes: Informer<Volume>): Informer<Volume> => volumes.addIndex(byClass, classesOf);
export const volumesOfClass = (volumes: Informer<Volume>, name: string): Volume[] => volumes.byIndex(byClass, name);

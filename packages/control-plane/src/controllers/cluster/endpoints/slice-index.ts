import type { Informer } from '@fairlead/kube';
import { managedByLabel, type Slice, serviceNameLabel } from './slices.ts';

const byService = 'slice/service';
const serviceKeys = ({ metadata }: Slice): string[] => {
  const name = metadata.labels?.[serviceNameLabel];
  return name ? [`${metadata.namespace}/${name}`] : [];
};

/** Index of slices by their Service. */
export const indexSlices = (slices: Informer<Slice>): Informer<Slice> => slices.addIndex(byService, serviceKeys);

/** Those of one manager, if it is given. */
export const slicesOf = (slices: Informer<Slice>, service: string, manager?: string): Slice[] =>
  slices
    .byIndex(byService, service)
    .filter(({ metadata }) => manager === undefined || metadata.labels?.[managedByLabel] === manager);

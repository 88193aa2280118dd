import { type AppProject, allowedNetworksAnnotation } from '@fairlead/api';
import { type AllowedNetworks, parseAllowedNetworks } from '@fairlead/apimachinery';

/** The networks that sources of a project may be in; undefined if all are permitted. */
export function allowedNetworksOf({ metadata }: Pick<AppProject, 'metadata'>): AllowedNetworks | undefined {
  const text = metadata.annotations?.[allowedNetworksAnnotation];
  return text === undefined ? undefined : parseAllowedNetworks(text);
}

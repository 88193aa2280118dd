import type { FollowedInstallation } from '../settings/follow-installation.ts';
import { type ApplicationSetSettings, defaultApplicationSetSettings } from './settings.ts';

/** The settings of ApplicationSets, with what the installation says of them now. */
export const applicationSetSettings = (
  { current }: Pick<FollowedInstallation, 'current'>,
  own: Partial<ApplicationSetSettings> = {},
): ApplicationSetSettings => ({
  ...defaultApplicationSetSettings,
  ...own,
  ...current.applicationSets,
  inCluster: current.inCluster,
});

import type { Settings } from '../setting.ts';
import { applicationSetSettings } from './applicationset.ts';
import { unsupportedControllerSettings } from './controller.ts';
import { commandSettings } from './honoured.ts';
import { processSettings } from './processes.ts';
import { unsupportedRenderingSettings } from './rendering.ts';
import { unsupportedServerSettings } from './server.ts';

/** The keys with an effect: only these can be read. */
export const readParameters = { ...commandSettings, ...applicationSetSettings };

export const argocdCmdParamsCm: Settings = {
  ...readParameters,
  ...unsupportedControllerSettings,
  ...unsupportedServerSettings,
  ...unsupportedRenderingSettings,
  ...processSettings,
};

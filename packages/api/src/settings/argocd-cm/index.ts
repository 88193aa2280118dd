import { applicationSettings } from './applications.ts';
import { interfaceSettings } from './interface.ts';
import { resourceSettings } from './resources.ts';
import { serverSettings } from './server.ts';

export const argocdCm = { ...applicationSettings, ...resourceSettings, ...serverSettings, ...interfaceSettings };

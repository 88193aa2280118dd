import type { Handler } from '../../command-line/command.ts';
import type { appList } from '../../command-line/specs/get.ts';
import { run as get } from '../get.ts';

/** `fairlead app list` */
export const run: Handler<typeof appList> = (call) => get({ ...call, args: ['apps', ...call.args] });

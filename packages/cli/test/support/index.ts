export { command, Fairlead, hasKubectl, runCommand, runFairlead, temporaryFolder, until } from './fairlead-process.ts';
export { caller } from './in-process.ts';

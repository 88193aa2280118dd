/**
 * `fairlead get` and `fairlead app` against the real controller. One instance serves all of it, and each part goes on from where the one
 * before has ended.
 */
import './commands/deliver.ts';
import './commands/read.ts';
import './commands/change.ts';
import './commands/trouble.ts';
import './commands/elsewhere.ts';
import './commands/shell.ts';

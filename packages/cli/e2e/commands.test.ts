/**
 * `fairlead get` and `fairlead app` against the real controller. All parts use one instance, and each continues from the state of the
 * one before.
 */
import './commands/deliver.ts';
import './commands/read.ts';
import './commands/change.ts';
import './commands/trouble.ts';
import './commands/elsewhere.ts';
import './commands/shell.ts';

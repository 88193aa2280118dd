import { checkPolicy, policyText } from '@fairlead/server';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { rbacValidate } from '../../command-line/specs/rbac.ts';
import { readPolicy } from '../../rbac/read-policy.ts';

/** `fairlead rbac validate` */
export const run: Handler<typeof rbacValidate> = async (call) => {
  const check = checkPolicy(policyText(await readPolicy(call)));
  if ('problem' in check) {
    call.terminal.write(`Policy is invalid: ${check.problem}\n`);
    return exitCodes.error;
  }
  if (check.warning !== undefined) call.terminal.writeError(`warning: ${check.warning}`);
  call.terminal.write('Policy is valid.\n');
  return exitCodes.ok;
};

import { answerPolicyQuestion, PolicyError, policyText } from '@fairlead/server';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { rbacCan } from '../../command-line/specs/rbac.ts';
import { readPolicy } from '../../rbac/read-policy.ts';

/** `fairlead rbac can SUBJECT ACTION RESOURCE [OBJECT]` */
export const run: Handler<typeof rbacCan> = async (call) => {
  const { flags, args, terminal } = call;
  const [subject = '', action = '', resource = '', object = ''] = args;
  const data = await readPolicy(call);
  try {
    const { allowed, warnings } = answerPolicyQuestion({
      subject,
      action,
      resource,
      object,
      policy: policyText(data),
      defaultRole: flags['default-role'] ?? data['policy.default'] ?? '',
      matchMode: data['policy.matchMode'],
      useBuiltinPolicy: flags['use-builtin-policy'] ?? true,
      strict: flags.strict ?? true,
    });
    if (!flags.quiet) {
      for (const warning of warnings) terminal.writeError(`warning: ${warning}`);
      terminal.write(allowed ? 'Yes\n' : 'No\n');
    }
    return allowed ? exitCodes.ok : exitCodes.error;
  } catch (error) {
    if (error instanceof PolicyError) throw new CliError(error.message);
    throw error;
  }
};

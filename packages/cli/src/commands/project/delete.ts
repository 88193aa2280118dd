import { rest } from '../../api-server/rest-api.ts';
import { withApi } from '../../backend/with-api.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { projectDelete } from '../../command-line/specs/project.ts';
import { confirmed } from '../../terminal/confirm.ts';

/** `fairlead project delete PROJECT…` */
export const run: Handler<typeof projectDelete> = async (call) => {
  const { flags, args, terminal } = call;
  if (!(await confirmed(terminal, `Delete ${args.join(', ')}?`, flags.yes))) return exitCodes.error;
  return withApi(call, async (api) => {
    for (const name of args) {
      await api.call({ method: 'DELETE', path: rest`/api/v1/projects/${name}` });
      terminal.write(`${terminal.style.good('✔')} project ${name} deleted\n`);
    }
    return exitCodes.ok;
  });
};

import { projects } from '../../applications/tables/settings-tables.ts';
import { withBackend } from '../../backend/with-backend.ts';
import type { Handler } from '../../command-line/command.ts';
import type { projectList } from '../../command-line/specs/project.ts';

/** `fairlead project list` */
export const run: Handler<typeof projectList> = (call) =>
  withBackend(call, ({ client }) => projects(client, call.terminal, [], call.flags));

import type { Application, RevisionHistory } from '@fairlead/api';
import { elementAt } from '@fairlead/apimachinery';
import { writeYaml } from '@fairlead/render/go-yaml';
import { findApplication, keyFrom, nameOf } from '../../applications/selection/find-application.ts';
import { shortRevision, sourceText } from '../../applications/tables/status-text.ts';
import { withBackend } from '../../backend/with-backend.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { appHistory } from '../../command-line/specs/app.ts';
import { ageOf } from '../../duration.ts';
import { table } from '../../table.ts';

/** `fairlead app history NAME` */
export const run: Handler<typeof appHistory> = async (call) => {
  const { flags, args, terminal } = call;
  return withBackend(call, async ({ client }) => {
    const application = await findApplication(client, keyFrom(elementAt(args, 0), flags.namespace));
    terminal.write(printHistory(application, flags.output ?? 'table', Date.now()));
    return exitCodes.ok;
  });
};

function printHistory(application: Application, form: string, now: number): string {
  const history = application.status?.history ?? [];
  if (form === 'json') return `${JSON.stringify(history, null, 2)}\n`;
  if (form === 'yaml') return writeYaml(history);
  if (form === 'id') return history.map(({ id }) => `${id}\n`).join('');
  const name = nameOf(application);
  if (history.length === 0) return `${name} was never synced: run fairlead app sync ${name}\n`;
  const wide = form === 'wide';
  const rows = history.map((one) => [
    String(one.id),
    one.deployedAt,
    ageOf(one.deployedAt, now),
    revisionsOf(one)
      .map(wide ? (text) => text : shortRevision)
      .join(', '),
    one.initiatedBy?.automated ? 'automated' : (one.initiatedBy?.username ?? ''),
    ...(wide ? [sourcesIn(one).map(sourceText).join(', ')] : []),
  ]);
  return table([['ID', 'DATE', 'AGE', 'REVISION', 'BY', ...(wide ? ['SOURCE'] : [])], ...rows]);
}

export const revisionsOf = ({ revision, revisions }: RevisionHistory): string[] =>
  revisions?.length ? revisions : revision ? [revision] : [];

export const sourcesIn = ({ source, sources }: RevisionHistory) => (sources?.length ? sources : source ? [source] : []);

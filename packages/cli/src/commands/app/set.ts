import type { Application } from '@fairlead/api';
import { elementAt } from '@fairlead/apimachinery';
import { readNumber } from '../../applications/operations/sync-operation.ts';
import { keyFrom, nameOf } from '../../applications/selection/find-application.ts';
import { changeApplication, changeLines } from '../../applications/spec/change-application.ts';
import { pair } from '../../applications/spec/source-from-flags.ts';
import { specFromFlags } from '../../applications/spec/spec-from-flags.ts';
import { withBackend } from '../../backend/with-backend.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { appSet } from '../../command-line/specs/app.ts';

/** `fairlead app set NAME` */
export const run: Handler<typeof appSet> = async (call) => {
  const { flags, args, terminal } = call;
  const text = flags['source-position'];
  const position = text === undefined ? undefined : readNumber('source-position', text);
  return withBackend(call, async (backend) => {
    const change = (application: Application): Application => ({
      ...application,
      metadata: {
        ...application.metadata,
        labels: marksFrom('label', application.metadata.labels, flags.label),
        annotations: marksFrom('annotation', application.metadata.annotations, flags.annotation),
      },
      spec: specFromFlags(application.spec, flags, position),
    });
    const dryRun = flags['dry-run'] ?? false;
    const verify = flags.verify !== false && flags.validate !== false;
    const write = (application: Application): Promise<Application> => backend.update(application, { verify });
    const key = keyFrom(elementAt(args, 0), flags.namespace);
    const changed = await changeApplication(backend.client, key, change, { dryRun, write });
    const lines = changeLines(changed);
    const name = nameOf(changed.before);
    if (lines.length === 0) terminal.write(`${name} is unchanged\n`);
    else
      terminal.write(`${name} ${dryRun ? 'would be' : 'was'} changed\n${lines.map((line) => `  ${line}\n`).join('')}`);
    return exitCodes.ok;
  });
};

/** `K=V` sets a key, `K-` removes it. */
function marksFrom(
  flag: string,
  before: Record<string, string> = {},
  texts: readonly string[] = [],
): Record<string, string> {
  const marks = { ...before };
  for (const text of texts) {
    if (/^[^=]+-$/u.test(text)) delete marks[text.slice(0, -1)];
    else {
      const [name, value] = pair(flag, text);
      marks[name] = value;
    }
  }
  return marks;
}

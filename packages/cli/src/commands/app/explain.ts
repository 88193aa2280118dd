import { elementAt } from '@fairlead/apimachinery';
import { type Chapter, type ExplainInput, explain, headline, type Reason } from '@fairlead/app-controller/explain';
import { unwatched } from '../../applications/cluster/installation.ts';
import { visibleProjectOf } from '../../applications/cluster/project.ts';
import { windowsOf } from '../../applications/operations/sync-windows.ts';
import { findWhole, keyFrom } from '../../applications/selection/find-application.ts';
import { withBackend } from '../../backend/with-backend.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { appExplain } from '../../command-line/specs/app.ts';
import type { Style } from '../../terminal/style.ts';

/** `fairlead app explain NAME` */
export const run: Handler<typeof appExplain> = async (call) => {
  const { flags, args, terminal } = call;
  return withBackend(call, async (backend) => {
    const { client } = backend;
    const application = await findWhole(client, keyFrom(elementAt(args, 0), flags.namespace));
    const [project, overlooked, tree] = await Promise.all([
      visibleProjectOf(client, application),
      unwatched(client, application),
      backend.tree(application, { pods: true }),
    ]);
    const now = Date.now();
    const input: ExplainInput = {
      application,
      tree,
      now,
      ...(overlooked ? { overlooked } : {}),
      ...(project === undefined ? { projectMissing: true } : {}),
      ...(project && project !== 'hidden' ? { window: windowsOf(project, application, now) } : {}),
    };
    const chapters = explain(input);
    const title = headline(application);
    if (flags.output === 'json') terminal.write(`${JSON.stringify({ summary: title, chapters }, null, 2)}\n`);
    else terminal.write(`${explanation(title, chapters, terminal.style).join('\n')}\n`);
    return exitCodes.ok;
  });
};

export function explanation(title: string, chapters: readonly Chapter[], style: Style): string[] {
  const lines = [style.strong(title)];
  for (const { title: question, reasons, next } of chapters) {
    lines.push('', style.strong(question));
    lines.push(...reasons.flatMap((one) => reasonLines(one, 1)));
    lines.push(...next.map((step) => `  ${style.good('→')} ${step}`));
  }
  return lines;
}

const reasonLines = ({ text, because }: Reason, depth: number): string[] => [
  `${'  '.repeat(depth)}${text}`,
  ...because.flatMap((one) => reasonLines(one, depth + 1)),
];

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Application } from '@fairlead/api';
import { elementAt, type KubeObject, messageOf } from '@fairlead/apimachinery';
import { parseManifests } from '@fairlead/render';
import { writeYaml } from '@fairlead/render/go-yaml';
import { findApplication, keyFrom, nameOf } from '../../applications/selection/find-application.ts';
import { changeApplication, changeLines } from '../../applications/spec/change-application.ts';
import { problemsOf } from '../../applications/spec/validate-application.ts';
import { withBackend } from '../../backend/with-backend.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { appEdit } from '../../command-line/specs/app.ts';

const head = '# Save and close to change the Application; an unchanged or empty file changes nothing.\n';

/** `fairlead app edit NAME` */
export const run: Handler<typeof appEdit> = async (call) => {
  const { flags, args, terminal, environment } = call;
  return withBackend(call, async ({ client }) => {
    const key = keyFrom(elementAt(args, 0), flags.namespace);
    const before = await findApplication(client, key);
    const text = writeYaml(editable(before));
    const edited = await editUntilRight(before, text, environment.editor);
    if (edited === undefined) {
      terminal.write(`${nameOf(before)} was not changed\n`);
      return exitCodes.ok;
    }
    const changed = await changeApplication(client, key, (now) => withEdits(now, edited));
    const lines = changeLines(changed).map((line) => `  ${line}\n`);
    terminal.write(
      lines.length === 0 ? `${nameOf(before)} was not changed\n` : `${nameOf(before)} was changed\n${lines.join('')}`,
    );
    return exitCodes.ok;
  });
};

/** The parts that the user edits. */
const editable = ({ apiVersion, kind, metadata, spec }: Application): KubeObject & { spec: unknown } => {
  const { name, namespace, labels, annotations, finalizers } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace ? { namespace } : {}),
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
      ...(finalizers ? { finalizers } : {}),
    },
    spec,
  };
};

function withEdits(now: Application, edited: Application): Application {
  const { labels = {}, annotations = {}, finalizers = [] } = edited.metadata;
  return { ...now, metadata: { ...now.metadata, labels, annotations, finalizers }, spec: edited.spec };
}

/** The edited Application; undefined if nothing changed. If it is invalid, the editor opens again with the problems as comments. */
async function editUntilRight(before: Application, original: string, editor: string): Promise<Application | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-edit-'));
  const file = join(folder, `${before.metadata.name}.yaml`);
  try {
    writeFileSync(file, head + original, { mode: 0o600 });
    for (let last = head + original; ; ) {
      await open(editor, file);
      const now = readFileSync(file, 'utf8');
      const body = now.replace(/^#.*\n/gmu, '');
      if (body.trim() === '' || body === original) return undefined;
      const read = readBack(before, body);
      if (typeof read !== 'string') return read;
      if (now === last) throw new CliError(`nothing was changed: ${read}`);
      last = `${head}# ${read.replaceAll('\n', '\n# ')}\n${body}`;
      writeFileSync(file, last);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The Application, or the problems with it. */
function readBack(before: Application, text: string): Application | string {
  try {
    const [first, ...more] = parseManifests(`${before.metadata.name}.yaml`, text);
    if (!first || more.length > 0) return 'the file must contain one Application';
    const application = first.object as unknown as Application;
    const { name, namespace } = application.metadata;
    if (name !== before.metadata.name || namespace !== before.metadata.namespace)
      return 'name and namespace cannot be changed: fairlead app create creates another Application';
    const problems = problemsOf(application);
    return problems.length > 0 ? problems.join('\n') : application;
  } catch (error) {
    return messageOf(error);
  }
}

/** Through a shell: $EDITOR may contain flags. */
function open(editor: string, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0
        ? resolve()
        : reject(new CliError(`editor ${editor} exited with ${code}: nothing was changed. Set $EDITOR to use another`)),
    );
  });
}

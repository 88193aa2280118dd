import type { AppProject } from '@fairlead/api';
import { parseManifests } from '@fairlead/render';
import { readText } from '../../applications/spec/source-from-flags.ts';
import { withApi } from '../../backend/with-api.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { projectCreate } from '../../command-line/specs/project.ts';
import { controlPlaneNamespace } from '../../install.ts';
import { projectSpecFromFlags } from '../../projects/spec-from-flags.ts';

/** `fairlead project create [PROJECT]` */
export const run: Handler<typeof projectCreate> = (call) => {
  const { flags, args, terminal } = call;
  const base: Pick<AppProject, 'metadata' | 'spec'> =
    flags.file === undefined ? { metadata: { name: '' }, spec: {} } : fromFile(flags.file);
  const name = args[0] ?? base.metadata.name;
  if (!name) throw new CliError('missing name: fairlead project create PROJECT');
  const project = {
    metadata: { ...base.metadata, name, namespace: controlPlaneNamespace },
    spec: projectSpecFromFlags(base.spec, flags),
  };
  return withApi(call, async (api) => {
    await api.call({ method: 'POST', path: '/api/v1/projects', body: { project, upsert: flags.upsert ?? false } });
    terminal.write(`${terminal.style.good('✔')} project ${name} ${flags.upsert ? 'created or changed' : 'created'}\n`);
    return exitCodes.ok;
  });
};

function fromFile(file: string): AppProject {
  const found = parseManifests(file, readText('file', file)).filter(({ object }) => object.kind === 'AppProject');
  if (found.length !== 1)
    throw new CliError(`${file} contains ${found.length} AppProjects: use one per file, or kubectl apply`);
  const project: AppProject = JSON.parse(JSON.stringify(found[0]?.object));
  return project;
}

import type { Application, AppProject } from '@fairlead/api';
import { type JsonObject, listAt, textAt } from '@fairlead/apimachinery';
import { sourcesOf } from '@fairlead/app-controller';
import type { ApplicationAccess } from '../../applications/application-access.ts';
import type { CallContext } from '../../rpc/call.ts';
import { invalidArgument } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';
import { precondition, unknown } from './requests.ts';

/** The revisions of a sync, one per source. Another revision than that of the source may need the right to override. */
export async function resolveRevisions(
  server: Server,
  context: CallContext,
  application: Application,
  request: JsonObject,
  isAutomated: boolean,
  access: ApplicationAccess,
  project: AppProject,
): Promise<string[]> {
  const sources = sourcesOf(application.spec);
  const hasMany = (application.spec.sources ?? []).length > 0;
  const given = hasMany ? sources.map(() => '') : [textAt(request, 'revision')];
  if (hasMany) {
    const revisions = listAt(request, 'revisions');
    if (revisions.length < listAt(request, 'sourcePositions').length) {
      throw invalidArgument('each source position needs a revision');
    }
    for (const [i, position] of listAt(request, 'sourcePositions').entries()) {
      const at = Number(position);
      if (at <= 0 || at > sources.length) throw unknown('source position is out of range');
      given[at - 1] = String(revisions[i] ?? '');
    }
  }
  for (const [i, revision] of given.entries()) {
    const { repoURL = '', targetRevision = '' } = sources[i] ?? {};
    if (revision === '' || revision === (targetRevision || 'HEAD')) continue;
    if (server.isOn('application.sync.requireOverridePrivilegeForRevisionSync')) {
      access.require(context.caller, 'override', application);
    }
    if (!isAutomated) continue;
    throw precondition(
      hasMany
        ? `Cannot sync source ${repoURL} to ${revision}: auto-sync currently set to ${targetRevision}`
        : `Cannot sync to ${revision}: auto-sync currently set to ${targetRevision}`,
    );
  }
  const asked = sources.map((source, i) => given[i] || source.targetRevision || 'HEAD');
  if (listAt(request, 'manifests').length > 0) return [];
  const reader = server.options.sources;
  if (!reader) return asked;
  return Promise.all(sources.map((source, i) => reader.resolve(source, asked[i] ?? '', project)));
}

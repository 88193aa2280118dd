import { elementAt } from '@fairlead/apimachinery';
import { writeYaml } from '@fairlead/render/go-yaml';
import { revisionsAsked } from '../../applications/operations/requested-revisions.ts';
import { findWhole, keyFrom } from '../../applications/selection/find-application.ts';
import { withBackend } from '../../backend/with-backend.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { appManifests } from '../../command-line/specs/app.ts';
import { shown } from '../../diff/field-changes.ts';

/** `fairlead app manifests NAME` */
export const run: Handler<typeof appManifests> = async (call) => {
  const { flags, args, terminal } = call;
  return withBackend(call, async (backend) => {
    const application = await findWhole(backend.client, keyFrom(elementAt(args, 0), flags.namespace));
    const revisions = revisionsAsked(application, flags);
    const objects =
      flags.source === 'live'
        ? await backend.liveObjects(application)
        : (await backend.targetState(application, revisions ? { revisions } : {})).objects;
    const safe = objects.map((object) => shown(object));
    if (flags.output === 'json') terminal.write(`${JSON.stringify(safe, null, 2)}\n`);
    else terminal.write(safe.map((object) => writeYaml(object)).join('---\n'));
    return exitCodes.ok;
  });
};

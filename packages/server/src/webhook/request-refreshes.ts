import { type Application, applicationKind } from '@fairlead/api';
import { isNotFound, keyOf } from '@fairlead/apimachinery';
import { concernedBy, isWatchedNamespace, locationsFollowed, type Push } from '@fairlead/app-controller';
import { knownAnnotations } from '@fairlead/engine';
import { limiter } from '@fairlead/source';
import type { Server } from '../server.ts';

const annotation = knownAnnotations.refresh.name;
/** Requests of one push that are sent at a time. */
const maxWrites = 16;

/**
 * Asks for a refresh of the Applications that a push concerns, by their annotation: whichever controller works on an Application sees it, in
 * whichever process it runs, also after a restart. One that is asked for already is not asked for again.
 */
export function requestRefreshes(server: Server): (push: Push) => Promise<void> {
  const { client, applications, namespace } = server.state;
  const { applicationNamespaces = [] } = server.options;
  const indexed = applications.addIndex('location', locationsFollowed);
  const isServed = ({ metadata }: Application): boolean =>
    isWatchedNamespace({ namespace, applicationNamespaces }, metadata.namespace ?? '');

  const request = async (application: Application): Promise<void> => {
    const { name = '', namespace: at = '', annotations = {} } = application.metadata;
    if (annotations[annotation] !== undefined) return;
    const patch = { metadata: { annotations: { [annotation]: 'normal' } } };
    try {
      await client.patch<Application>(applicationKind.type, { namespace: at, name }, 'merge', patch);
    } catch (error) {
      if (isNotFound(error)) return;
      server.log.warn('a refresh could not be requested', { application: keyOf(application), error });
    }
  };

  return async (push) => {
    const concerned = concernedBy(push, (location) => indexed.byIndex('location', location).filter(isServed));
    const once = new Map([...concerned.values()].flat().map((application) => [keyOf(application), application]));
    if (once.size === 0) return;
    server.log.info('a push concerns Applications', {
      repository: push.urls[0] ?? '',
      ref: push.everyRef ? '*' : push.ref,
      applications: once.size,
    });
    const limited = limiter(maxWrites);
    await Promise.all([...once.values()].map((application) => limited(() => request(application))));
  };
}

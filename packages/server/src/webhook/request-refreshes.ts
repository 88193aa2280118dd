import type { Application } from '@fairlead/api';
import { keyOf } from '@fairlead/apimachinery';
import { askForRefresh, concernedBy, isWatchedNamespace, locationsFollowed, type Push } from '@fairlead/app-controller';
import { limiter } from '@fairlead/source';
import type { Server } from '../server.ts';

/** Requests of one push that are sent at a time. */
const maxWrites = 16;

/**
 * Asks for a refresh of the Applications that a push concerns, by their annotation: see `askForRefresh`.
 */
export function requestRefreshes(server: Server): (push: Push) => Promise<void> {
  const { client, applications, namespace } = server.state;
  const { applicationNamespaces = [] } = server.options;
  const indexed = applications.addIndex('location', locationsFollowed);
  const isServed = ({ metadata }: Application): boolean =>
    isWatchedNamespace({ namespace, applicationNamespaces }, metadata.namespace ?? '');

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
    await Promise.all(
      [...once.values()].map((application) => limited(() => askForRefresh({ client, log: server.log }, application))),
    );
  };
}

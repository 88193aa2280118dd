import { concernsGenerators, type ForgeEvent, requestSetRefreshes } from '@fairlead/app-controller';
import { isEnabled } from '../calls/application/requests.ts';
import type { Server } from '../server.ts';

/** Asks for a refresh of the ApplicationSets whose generators read what an event of a Git host is about. */
export const requestRefreshesOfSets =
  (server: Server) =>
  async (event: ForgeEvent): Promise<void> => {
    const { applicationSets, client } = server.state;
    const concerned = applicationSets
      .list()
      .filter((set) => isEnabled(server, set.metadata.namespace ?? '') && concernsGenerators(set, event));
    await requestSetRefreshes(client, concerned, server.log);
  };

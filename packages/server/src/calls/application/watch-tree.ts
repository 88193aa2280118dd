import type { Application } from '@fairlead/api';
import { trackingName } from '@fairlead/engine';
import { limits, sleep } from '@fairlead/kube';
import type { FoundApplication } from '../../applications/application-access.ts';
import { nameOf, readLive } from '../../live/application-state.ts';
import { treeOfLive } from '../../live/application-tree.ts';
import type { StreamCalls } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import { withStreamedLive } from './live-stream.ts';
import { applicationAccess, refOf } from './requests.ts';

/** The tree of an Application each time that something in it has changed. */
export const treeStreams = (server: Server): StreamCalls => ({
  async *'Application.WatchResourceTree'(context, request) {
    const access = applicationAccess(server);
    const found = await access.find(context.caller, 'get', refOf(request, 'applicationName'));
    const asked = server.state.clock.now();
    yield* withStreamedLive(server, found, context.signal, async function* (lease, signal) {
      const changes = new Changes(signal);
      // What has changed while the cluster was read is not known.
      if (lease.since >= asked) changes.add();
      const app = trackingName(nameOf(found.application), server.state.namespace);
      const removeLive = lease.cluster.onLiveChange(({ managedBy, partOf }) => {
        if (managedBy.includes(app) || partOf.includes(app)) changes.add();
      });
      const removeApplication = server.state.applications.addHandler({
        onUpdate: (before, after) => {
          if (isSame(after, found) && before.status?.resources !== after.status?.resources) changes.add();
        },
        onDelete: (gone) => {
          if (isSame(gone, found)) changes.end();
        },
      });
      try {
        while (await changes.next()) {
          const current = await currentOf(server, found);
          // Rights may have been withdrawn, or the Application deleted.
          if (!current || !access.allows(context.caller, 'get', current.application)) return;
          yield await treeOfLive(server, await readLive(server, current, lease, signal));
          await sleep(server.state.clock, limits.apiTreeIntervalMs, signal).catch(() => {});
        }
      } finally {
        removeLive();
        removeApplication();
      }
    });
  },
});

const isSame = ({ metadata }: Application, { application }: FoundApplication): boolean =>
  metadata.uid === application.metadata.uid;

async function currentOf({ state }: Server, found: FoundApplication): Promise<FoundApplication | undefined> {
  const { namespace, name } = nameOf(found.application);
  const application = state.applications.get(`${namespace}/${name}`);
  return application && isSame(application, found) ? { ...found, application } : undefined;
}

/** Changes that have not been reported yet: many are one. */
class Changes {
  #pending = false;
  #isEnded = false;
  #wake = (): void => {};

  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => this.end(), { once: true });
    this.#isEnded = signal.aborted;
  }

  add(): void {
    this.#pending = true;
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  /** False at the end. */
  async next(): Promise<boolean> {
    while (!this.#pending && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#pending = false;
    return !this.#isEnded;
  }
}

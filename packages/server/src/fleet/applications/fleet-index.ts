import { randomBytes } from 'node:crypto';
import type { Application } from '@fairlead/api';
import { limits } from '@fairlead/kube';
import { isEnabled } from '../../calls/application/requests.ts';
import { RpcError } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';
import { EventLog } from '../stream/event-log.ts';
import { ApplicationIndex, keyOfRecord } from './application-index.ts';
import { FleetNames } from './names.ts';
import type { FleetState } from './queries.ts';
import { RightsChanges } from './rights-changes.ts';
import { type ApplicationRecord, recordOf } from './summary.ts';

/** How long several changes of names are collected. */
const renameMs = 100;

/** The index of all Applications and the log of changes, kept with each change that the watch reports. Both always show the same state. */
export class FleetIndex implements FleetState {
  readonly index = new ApplicationIndex();
  readonly log: EventLog;
  readonly #server: Server;
  readonly #names: FleetNames;
  readonly #stop = new AbortController();
  readonly rightsChanges: RightsChanges;
  #cancelRename: (() => void) | undefined;

  constructor(server: Server, capacity: number = limits.fleetEvents) {
    this.#server = server;
    this.log = new EventLog(randomBytes(6).toString('hex'), capacity);
    const { signal } = this.#stop;
    this.#names = new FleetNames(server, signal, () => this.#renameSoon());
    this.rightsChanges = new RightsChanges(server.state, signal);
    const put = (application: Application, isSilent = false): void => {
      this.log.see(application.metadata.resourceVersion);
      if (isEnabled(server, application.metadata.namespace ?? ''))
        this.#put(recordOf(application, this.#names), isSilent);
    };
    const remove = server.state.applications.addHandler({
      onAdd: (application, isInitial) => put(application, isInitial),
      onUpdate: (_, application) => put(application),
      onDelete: ({ metadata: { namespace = '', name = '', resourceVersion } }) => {
        this.log.see(resourceVersion);
        this.#remove(`${namespace}/${name}`);
      },
    });
    signal.addEventListener('abort', remove, { once: true });
  }

  get version(): string {
    return this.log.idOf(this.log.last);
  }

  /** Resolves when this replica has what the replica of an event had. Throws if that takes too long. */
  async reached(id: string | undefined, signal: AbortSignal): Promise<void> {
    if (id === undefined || this.log.includes(id)) return;
    const { clock } = this.#server.state;
    await new Promise<void>((resolve, reject) => {
      const end = (): void => {
        remove();
        cancel();
        signal.removeEventListener('abort', end);
        if (this.log.includes(id) || signal.aborted) resolve();
        else reject(new RpcError('Unavailable', 'this replica has not seen the changes before that event yet: retry'));
      };
      const remove = this.log.onSee(() => {
        if (this.log.includes(id)) end();
      });
      const cancel = clock.after(limits.fleetBehindMs, end);
      signal.addEventListener('abort', end, { once: true });
    });
  }

  get rights(): number {
    return this.rightsChanges.version;
  }

  close(): void {
    this.#cancelRename?.();
    this.#stop.abort();
  }

  #put(after: ApplicationRecord, isSilent: boolean): void {
    const before = this.index.put(after);
    if (!isSilent) this.log.append({ kind: 'application', ...(before ? { before } : {}), after });
  }

  #remove(key: string): void {
    const before = this.index.remove(key);
    if (before) this.log.append({ kind: 'application', before });
  }

  /** A cluster or a tenant has another name now: Applications that show it have changed. */
  #renameSoon(): void {
    this.#cancelRename ??= this.#server.state.clock.after(renameMs, () => {
      this.#cancelRename = undefined;
      for (const { record } of [...this.index.entries()]) {
        const application = this.#server.state.applications.get(keyOfRecord(record));
        if (!application) continue;
        const renamed = recordOf(application, this.#names);
        const { cluster, tenant } = record.summary;
        const isSame =
          renamed.summary.cluster === cluster && renamed.summary.tenant === tenant && renamed.server === record.server;
        if (!isSame) this.#put(renamed, false);
      }
    });
  }
}

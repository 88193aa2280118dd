import { apiError, type StatusReason } from '@fairlead/apimachinery';
import { sleep } from '@fairlead/kube';
import { type Fault, strikingFault } from '../nodes/fault.ts';
import type { ResourceRequest } from '../requests/request-info.ts';
import type { Api } from '../verbs/api.ts';

const storage = 'sim.fairlead.dev/faults';
const reasons: Readonly<Record<number, StatusReason>> = {
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** Makes the API slow or fail while a Fault is active. Faults can always be read and deleted, to end them. */
export function apiFaults(api: Api): (request: ResourceRequest) => Promise<void> | undefined {
  return (request) => {
    const stored = api.storage.list(storage);
    if (stored.length === 0 || (request.group === 'sim.fairlead.dev' && request.plural === 'faults')) return undefined;
    const faults = stored.map(({ object }) => object as Fault);
    const target = {
      ...(request.namespace ? { namespace: request.namespace } : {}),
      labels: { resource: request.plural },
    };
    const slow = strikingFault(faults, 'api-latency', target, api.clock.now(), api.random);
    const broken = strikingFault(faults, 'api-error', target, api.clock.now(), api.random);
    if (!slow && !broken) return undefined;
    return disturb(api, slow, broken);
  };
}

async function disturb(api: Api, slow: Fault | undefined, broken: Fault | undefined): Promise<void> {
  if (slow) await sleep(api.clock, slow.spec.latencyMs ?? 1000);
  if (!broken) return;
  const code = broken.spec.code ?? 500;
  throw apiError(code, reasons[code], `the fault ${JSON.stringify(broken.metadata.name)} asks for this`, {
    retryAfterSeconds: 1,
  });
}

import { type ApiClient, type Clock, silentLogger, systemClock, systemRandom } from '@fairlead/kube';
import { createCipher } from '../../src/cipher.ts';
import { serviceMetrics } from '../../src/metrics.ts';
import { OperationController } from '../../src/operation-controller/operation-controller.ts';
import { defaultServiceSettings, type ServiceSettings } from '../../src/settings.ts';
import { type TestService, testKey } from './test-service.ts';

export interface OtherAgentOptions {
  readonly owner: string;
  readonly client: ApiClient;
  readonly settings?: Partial<ServiceSettings>;
  readonly key?: string;
  readonly clock?: Clock;
}

/** An agent next to, or instead of, that of the service. Resolves when it has stopped. */
export function runAgent(service: TestService, options: OtherAgentOptions, signal: AbortSignal): Promise<void> {
  const { database, instance } = service;
  const agent = new OperationController({
    client: options.client,
    database,
    instance,
    cipher: createCipher(options.key ?? testKey),
    settings: { ...defaultServiceSettings, selfHealing: false, ...options.settings },
    metrics: serviceMetrics(),
    owner: options.owner,
    clock: options.clock ?? systemClock,
    random: systemRandom,
    log: silentLogger,
  });
  return agent.run(signal);
}

/** A client with some changed behaviour. */
export const otherwise = (client: ApiClient, changed: Partial<ApiClient>): ApiClient => ({
  watch: client.watch.bind(client),
  get: client.get.bind(client),
  list: client.list.bind(client),
  create: client.create.bind(client),
  replace: client.replace.bind(client),
  patch: client.patch.bind(client),
  delete: client.delete.bind(client),
  deleteCollection: client.deleteCollection.bind(client),
  ...changed,
});

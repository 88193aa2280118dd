import { type KubeObject, parseKey } from '@fairlead/apimachinery';
import { type ApiClient, Controller, done, type InformerFactory, requeueAfter } from '../src/index.ts';

interface Greeting extends KubeObject {
  spec: { who: string };
  status?: { message: string };
}

const greetings = { group: 'example.com', version: 'v1', kind: 'Greeting', plural: 'greetings', namespaced: true };

/** Writes the message of every Greeting into its status, and reconciles each again every hour. */
export function greeter(client: ApiClient, informers: InformerFactory): Controller {
  const informer = informers.informer<Greeting>(greetings);
  return new Controller({
    name: 'greeter',
    concurrency: 4,
    reconcile: async (key, { signal }) => {
      const greeting = informer.get(key);
      if (!greeting) return done;
      const message = `Hello, ${greeting.spec.who}!`;
      if (greeting.status?.message !== message) {
        await client.patch(
          greetings,
          parseKey(key),
          'merge',
          { status: { message } },
          { subresource: 'status', signal },
        );
      }
      return requeueAfter(3_600_000);
    },
  }).watch(informer);
}

import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JsonObject, type Secret, secretType } from '@fairlead/apimachinery';
import { InformerFactory, silentLogger } from '@fairlead/kube';
import { createSources } from '@fairlead/source';
import { sourceData } from '../../src/notifications/environment/source-data.ts';
import { createHttpSender } from '../../src/notifications/http/send-http.ts';
import { NotificationsController } from '../../src/notifications/notifications-controller.ts';
import { sendMail } from '../../src/notifications/services/send-mail.ts';
import { RepositoryAccess, repositorySecretSelector } from '../../src/source/repository-access.ts';
import { install } from '../harness/installation.ts';
import { openEmbeddedTarget, type Target } from '../harness/target.ts';
import { HttpReceiver, redirectFixedHosts } from './http-receiver.ts';
import { ReceiverRules } from './receiver-rules.ts';
import { SmtpReceiver } from './smtp-receiver.ts';

export const namespace = 'argocd';

/** The notifications controller on an embedded control plane, with receivers. */
export interface LiveInstallation {
  readonly target: Target;
  readonly controller: NotificationsController;
  readonly rules: ReceiverRules;
  readonly smtp: SmtpReceiver;
  readonly deliveries: JsonObject[];
  /** The values of the placeholders of all cases. */
  readonly placeholders: ReadonlyMap<string, string>;
  readonly folder: string;
  close(): Promise<void>;
}

export async function openInstallation(commonRules: readonly JsonObject[]): Promise<LiveInstallation> {
  const target = await openEmbeddedTarget({ nodes: 0 });
  await target.during(install(target));
  const folder = await mkdtemp(join(tmpdir(), 'notifications-'));
  const rules = new ReceiverRules(commonRules);
  const deliveries: JsonObject[] = [];
  const received = (delivery: JsonObject): void => void deliveries.push(delivery);
  const [first, second] = [new HttpReceiver(rules, 1, received), new HttpReceiver(rules, 2, received)];
  const smtp = new SmtpReceiver(received);
  const [host, host2, mail, closed] = [
    await first.start(),
    await second.start(),
    await smtp.start(),
    await closedPort(),
  ];
  const { clock, client, track } = target;
  const stop = new AbortController();
  const shared = { clock, random: () => 0, log: silentLogger };
  const sources = createSources({
    cacheDir: join(folder, 'cache'),
    clock,
    environment: process.env,
    pollMs: 60_000,
    allowLocal: true,
  });
  const informers = new InformerFactory(client, shared);
  const access = new RepositoryAccess(
    informers.informer<Secret>(secretType, { namespace, labelSelector: repositorySecretSelector }),
  );
  informers.start(stop.signal);
  const http = createHttpSender({ environment: {} });
  const send = redirectFixedHosts(http.send, host);
  const load = sourceData({ sources, access });
  const controller = new NotificationsController({
    client,
    ...shared,
    http: (...args) => track(() => send(...args)),
    mail: (...args) => track(() => sendMail(...args)),
    environment: {},
    settings: { namespace },
    loadData: (...args) => {
      const own = load(...args);
      return (request) => track(() => own(request));
    },
  });
  const running = controller.run(stop.signal);
  await target.pass(1_000);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    target,
    controller,
    rules,
    smtp,
    deliveries,
    folder,
    placeholders: new Map([
      ['$HTTP', `http://${host}`],
      ['$HTTPHOST', host],
      ['$HTTPHOST2', host2],
      ['$CLOSEDHOST', `127.0.0.1:${closed}`],
      ['$CLOSEDPORT', String(closed)],
      ['$SMTPHOST', mail.host],
      ['$SMTPPORT', String(mail.port)],
      ['$RSA_PRIVATE_KEY', privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()],
    ]),
    async close() {
      stop.abort();
      await target.during(running);
      await target.during(informers.stopped());
      sources.close();
      smtp.close();
      await Promise.all([first.close(), second.close(), http.close()]);
      await target.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 1;
}

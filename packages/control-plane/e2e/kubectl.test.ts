import { after, before, describe, test } from 'node:test';
import { findKubectls, type Kubectl } from '../test/support/kubectl/find.ts';
import { access } from './kubectl/access.ts';
import { customResources } from './kubectl/custom-resources.ts';
import { essentials } from './kubectl/essentials.ts';
import { reading } from './kubectl/reading.ts';
import { rollouts } from './kubectl/rollouts.ts';
import { type Scenarios, Session } from './kubectl/session.ts';
import { writing } from './kubectl/writing.ts';
import { openTargetCluster, type TargetCluster } from './target-cluster.ts';

/** Real kubectl on a whole cluster: all commands with the newest one found, the essential ones with the others. */
const [newest, ...others] = await findKubectls();
const everything: Scenarios = { ...reading, ...writing, ...rollouts, ...access, ...customResources };

describe('kubectl', { skip: newest ? false : 'there is no kubectl on the search path' }, () => {
  let cluster: TargetCluster;
  let sessions = 0;
  before(async () => {
    cluster = await openTargetCluster();
  });
  after(() => cluster.close());

  const serial = Date.now().toString(36).slice(-5);
  const offer = (kubectl: Kubectl, scenarios: Scenarios): void => {
    for (const [title, scenario] of Object.entries(scenarios)) {
      test(`${kubectl.version}: ${title}`, async () => {
        sessions += 1;
        const session = await Session.open(cluster, kubectl, `e2e-${serial}-${sessions}`);
        try {
          await scenario(session);
        } finally {
          await session.close();
        }
      });
    }
  };
  if (newest) offer(newest, everything);
  for (const other of others) offer(other, essentials);
});

import { messageOf } from '@fairlead/apimachinery';
import { RepositoriesInMemory } from '../../test/support/repositories-in-memory.ts';
import { startController, type Workers } from '../harness/controller.ts';
import { configure, install } from '../harness/installation.ts';
import { openEmbeddedTarget } from '../harness/target.ts';
import { CaseApplication, repoURL } from './application.ts';
import type { StableCase } from './cases.ts';
import { check, type Outcome } from './check.ts';
import { runLoadBalancers } from './load-balancers.ts';
import { openSplitTarget } from './split-target.ts';

/** Runs a case with a separate controller, on an embedded cluster or on that of a kubeconfig. */
export async function runCase(theCase: StableCase, workers: Workers, kubeconfig?: string): Promise<Outcome> {
  if (theCase.skipped) return { passed: true, skipped: theCase.skipped };
  const target = kubeconfig ? await openSplitTarget(kubeconfig) : await openEmbeddedTarget();
  const over = new AbortController();
  try {
    await target.during(install(target));
    await configure(target, theCase.settings ?? {});
    const repositories = new RepositoriesInMemory();
    repositories.commit(repoURL, theCase.files());
    const controller = await target.during(startController(target, workers, '/nonexistent', repositories));
    runLoadBalancers(target.destination, target.clock, over.signal);
    const app = new CaseApplication(theCase, target, controller);
    const outcome = await check(theCase, app, target);
    if (kubeconfig) await app.delete();
    await target.during(controller.stop());
    return outcome;
  } catch (error) {
    return { passed: false, detail: messageOf(error) };
  } finally {
    over.abort();
    await target.close();
  }
}

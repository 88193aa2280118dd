import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@fairlead/apimachinery';
import { type PatchType, sleep, systemClock } from '@fairlead/kube';
import type { SuiteOptions } from '../../../../scripts/conformance.ts';
import { findKubectls, type Kubectl, kubectlAt } from '../../test/support/kubectl/find.ts';
import { type KubectlResult, runKubectl, startKubectl } from '../../test/support/kubectl/run.ts';
import type { KubeletStates } from './controllers/kubelet.ts';
import { type CaseServer, startCaseServer } from './kubectl/case-server.ts';
import { olderClient } from './kubectl/older-clients.ts';
import { type Compare, outputDifference } from './kubectl/output.ts';
import { bringToLife, makeState } from './kubectl/state.ts';
import { type Case, failed, type NamedOutcome, type Outcome, outcomeOf, passed, skipped } from './outcome.ts';
import { pooled } from './pooled.ts';

interface KubectlCase extends Case {
  readonly state: 'shop' | 'live';
  readonly given?: readonly { readonly patch: Patch }[];
  readonly files?: Readonly<Record<string, string>>;
  readonly run: readonly (Command | { readonly settle: number })[];
}

interface Patch {
  readonly kind: string;
  readonly name: string;
  readonly subresource?: string;
  readonly type: PatchType;
  readonly body: JsonObject;
}

interface Command {
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly killAfter?: number;
  readonly during?: { readonly after: number; readonly args: readonly string[] };
  readonly compare: Compare;
  readonly exit: number | 'killed';
  readonly stdout: string;
  readonly stderr: string;
}

interface State {
  readonly objects: readonly JsonObject[];
  readonly kubelet: KubeletStates;
}

/** A case mostly consists of the start of kubectl, which keeps a core busy for a moment. */
const atOnce = 4;

/** The output of kubectl with a server: each case on a separate server. */
export async function* runKubectlCases(
  cases: readonly Case[],
  { dir, kubeconfig, kubectl: chosen }: SuiteOptions,
): AsyncGenerator<NamedOutcome> {
  const kubectl = chosen ? await kubectlAt(chosen) : (await findKubectls())[0];
  if (kubeconfig || !kubectl) {
    const outcome = kubeconfig
      ? skipped('the states need an embedded control plane, with controllers off and with nodes of the suite')
      : chosen
        ? failed(`${chosen} is not a kubectl`)
        : skipped('no kubectl on the search path');
    for (const { name } of cases) yield { name, outcome };
    return;
  }
  console.log(`kubectl: ${kubectl.version} (${kubectl.path})`);
  const read = <T>(file: string): T => JSON.parse(readFileSync(join(dir, file), 'utf8')) as T;
  const states = read<Record<string, JsonObject[]>>('kubectl-states.json');
  const kubelet = read<KubeletStates>('kubelet-states.json');
  yield* pooled(cases as readonly KubectlCase[], atOnce, async (test) => ({
    name: test.name,
    outcome: await outcomeOf(runCase(kubectl, test, { objects: states[test.state] ?? [], kubelet })),
  }));
}

async function runCase(kubectl: Kubectl, test: KubectlCase, given: State): Promise<Outcome> {
  const live = test.state === 'live';
  const caseServer = await startCaseServer(test.state, { controllers: live });
  try {
    await makeState(caseServer, test.state, given.objects);
    if (live) await bringToLife(caseServer, test.state, given.kubelet);
    for (const { patch } of test.given ?? []) await applyPatch(caseServer, test.state, patch);
    const work = join(caseServer.folder, 'work');
    await mkdir(work);
    for (const [name, text] of Object.entries(test.files ?? {})) await writeFile(join(work, name), text);
    let outcome = passed;
    for (const step of test.run) {
      if ('settle' in step) await settled(caseServer, step.settle);
      else {
        const compared = compareCommand(kubectl, step, await runCommand(kubectl, caseServer, work, step));
        if (compared.skipped) outcome = compared;
        else if (!compared.passed) return compared;
      }
    }
    return outcome;
  } finally {
    await caseServer.close();
  }
}

async function runCommand(
  kubectl: Kubectl,
  caseServer: CaseServer,
  cwd: string,
  step: Command,
): Promise<KubectlResult> {
  const stdin = step.stdin === undefined ? {} : { stdin: step.stdin };
  const running = startKubectl(kubectl.path, { args: step.args, cwd, env: caseServer.env, ...stdin });
  if (step.killAfter === undefined) return running.result;
  // Counted from the first line, so that a slow start of kubectl is not mistaken for silence.
  await running.speaking;
  const { after = 0, args } = step.during ?? {};
  await sleep(systemClock, after * 1000);
  if (args) await runKubectl(kubectl.path, { args, cwd, env: caseServer.env });
  await sleep(systemClock, (step.killAfter - after) * 1000);
  running.process.kill('SIGTERM');
  return { ...(await running.result), exit: 'killed' };
}

/** A difference that an older kubectl explains is skipped, not failed: the server is not the cause. */
function compareCommand(kubectl: Kubectl, step: Command, result: KubectlResult): Outcome {
  const { exit, stdout, stderr } = result;
  const command = `kubectl ${step.args.join(' ')}`;
  if (exit !== step.exit) return failed(`${command}\nexit ${exit}, expected ${step.exit}\n${stdout}${stderr}`);
  if (step.compare === 'ignore') return passed;
  const streams = [
    ['stdout', step.compare, step.stdout, stdout],
    ['stderr', 'table', step.stderr, stderr],
  ] as const;
  let outcome = passed;
  for (const [stream, compare, recorded, actual] of streams) {
    const found = outputDifference(compare, recorded, actual);
    if (!found) continue;
    const fits = (rewritten: string) => outputDifference(compare, rewritten, actual) === undefined;
    const why = olderClient(kubectl.version, recorded, fits);
    if (why === undefined) return failed(`${command}\n${stream}: ${found}`);
    outcome = skipped(`kubectl ${kubectl.version} is older than the recorded 1.36: ${why}`);
  }
  return outcome;
}

async function applyPatch(caseServer: CaseServer, namespace: string, patch: Patch): Promise<void> {
  const type = await caseServer.typeOf(patch.kind);
  const { name, subresource } = patch;
  await caseServer.client.patch(type, { namespace, name }, patch.type, patch.body, subresource ? { subresource } : {});
}

/** Waits until nothing has changed for this many seconds. */
async function settled(caseServer: CaseServer, seconds: number): Promise<void> {
  for (let seen = -1; seen !== caseServer.revision(); ) {
    seen = caseServer.revision();
    await sleep(systemClock, seconds * 1000);
  }
}

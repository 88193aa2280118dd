import { numberAt, objectAt, parseTime, textAt } from '@fairlead/apimachinery';
import type { Clock } from '@fairlead/kube';
import { BackOff } from './backoff.ts';
import { programOf, simAnnotations } from './container-program.ts';
import { type ContainerRun, creating, type Exit, initialising, newRun } from './container-run.ts';
import { parseImage } from './image-reference.ts';
import type { ImageStore } from './image-store.ts';
import { type Container, isSidecar, type Pod } from './pod.ts';
import type { PodRun } from './pod-status.ts';

/** The environment of a pod, provided by its kubelet. */
export interface PodEnvironment {
  readonly clock: Clock;
  readonly images: ImageStore;
  /** The state has changed: its status must be written. */
  changed(): void;
  event(type: 'Normal' | 'Warning', reason: string, message: string, container?: string): void;
  crashes(): boolean;
  neverReady(): boolean;
  /** Whether containers start without their image, and pass their probes as soon as they run. */
  readonly readyAtOnce?: boolean;
}

/** Thrown when the pod has been stopped; caught where it was started. */
class Stopped extends Error {}

/**
 * The lifecycle of one pod on its node, in order: init containers one after the other, then all others at once, each pulled, started,
 * restarted. It ends when the containers are done or `stop` is called.
 */
export class PodLife {
  readonly run: PodRun;
  readonly #pod: Pod;
  readonly #env: PodEnvironment;
  readonly #cancels = new Set<() => void>();
  #stopped = false;

  constructor(pod: Pod, env: PodEnvironment) {
    this.#pod = pod;
    this.#env = env;
    const first = (pod.spec.initContainers ?? []).length > 0 ? initialising : creating;
    this.run = {
      init: (pod.spec.initContainers ?? []).map((container) => newRun(container, initialising)),
      main: pod.spec.containers.map((container) => newRun(container, first)),
    };
    recover(this.run, pod);
  }

  async begin(): Promise<void> {
    try {
      await this.#live();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    }
  }

  /** Ends all running containers at once, and records them as terminated. */
  stop(code: number, reason: string): void {
    this.#stopped = true;
    for (const cancel of [...this.#cancels]) cancel();
    for (const container of [...this.run.init, ...this.run.main]) this.#end(container, code, reason);
    this.#env.changed();
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  async #live(): Promise<void> {
    const { spec } = this.#pod;
    this.#env.changed();
    if (spec.activeDeadlineSeconds) this.#watchDeadline(spec.activeDeadlineSeconds);
    const sidecars: Promise<void>[] = [];
    for (const [index, container] of (spec.initContainers ?? []).entries()) {
      const run = this.run.init[index]!;
      if (isSidecar(container)) {
        const started = Promise.withResolvers<void>();
        sidecars.push(this.#keep(container, run, true, started.resolve));
        await started.promise;
      } else await this.#keep(container, run, true);
      if (run.state.kind === 'exited' && run.state.code !== 0) return;
    }
    for (const run of this.run.main) if (run.state === initialising) run.state = creating;
    this.#env.changed();
    await Promise.all([
      ...spec.containers.map((container, index) => this.#keep(container, this.run.main[index]!, false)),
      ...sidecars,
    ]);
  }

  #watchDeadline(seconds: number): void {
    const began = this.#pod.status?.startTime ? Date.parse(this.#pod.status.startTime) : this.#env.clock.now();
    const cancel = this.#env.clock.after(Math.max(0, began + seconds * 1000 - this.#env.clock.now()), () => {
      if (this.#stopped || this.#done()) return;
      this.run.ended = {
        reason: 'DeadlineExceeded',
        message: 'Pod was active on the node longer than the specified deadline',
      };
      this.stop(137, 'Error');
    });
    this.#cancels.add(cancel);
  }

  #done(): boolean {
    return this.run.main.every(({ state }) => state.kind === 'exited');
  }

  /** Pulls, starts and restarts one container until it is finished. */
  async #keep(container: Container, run: ContainerRun, init: boolean, onStarted: () => void = () => {}): Promise<void> {
    const crashes = new BackOff();
    for (;;) {
      if (run.state.kind === 'exited' && !this.#restarts(container, run.state, init)) return;
      if (run.state.kind !== 'running') {
        await this.#pull(container, run);
        await this.#start(container, run);
      }
      onStarted();
      const exit = await this.#runProgram(container, run, init);
      run.state = { kind: 'exited', ...exit };
      run.ready = false;
      this.#env.changed();
      if (!this.#restarts(container, exit, init)) return;
      await this.#backOff(container, run, exit, crashes);
    }
  }

  #restarts(container: Container, exit: Exit, init: boolean): boolean {
    const policy = this.#pod.spec.restartPolicy ?? 'Always';
    if (isSidecar(container)) return true;
    if (init) return exit.code !== 0 && policy !== 'Never';
    return policy === 'Always' || (policy === 'OnFailure' && exit.code !== 0);
  }

  async #pull(container: Container, run: ContainerRun): Promise<void> {
    const { images, clock, event } = this.#env;
    if (this.#env.readyAtOnce) return;
    const shown = JSON.stringify(container.image);
    const reference = parseImage(container.image);
    if (!reference) {
      this.#waiting(
        run,
        'InvalidImageName',
        `Failed to apply default image tag ${shown}: couldn't parse image name ${shown}: invalid reference format`,
      );
      event(
        'Warning',
        'InspectFailed',
        `Failed to apply default image tag ${shown}: couldn't parse image name ${shown}: invalid reference format`,
        container.name,
      );
      return this.#forever();
    }
    const kept = images.has(reference);
    if (kept && container.imagePullPolicy !== 'Always') {
      event(
        'Normal',
        'Pulled',
        `Container image ${shown} already present on machine and can be accessed by the pod`,
        container.name,
      );
      run.imageId = `${reference.registry}/${reference.repository}@${kept.digest}`;
      return;
    }
    if (!kept && container.imagePullPolicy === 'Never') {
      this.#waiting(run, 'ErrImageNeverPull', `Container image ${shown} is not present with pull policy of Never`);
      event(
        'Warning',
        'ErrImageNeverPull',
        `Container image ${shown} is not present with pull policy of Never`,
        container.name,
      );
      return this.#forever();
    }
    const secrets = (this.#pod.spec.imagePullSecrets ?? []).map(({ name }) => name ?? '');
    const backOff = new BackOff();
    for (;;) {
      event('Normal', 'Pulling', `Pulling image ${shown}`, container.name);
      const result = await images.pull(reference, secrets);
      this.#check();
      if (!('problem' in result)) {
        run.imageId = `${reference.registry}/${reference.repository}@${result.image.digest}`;
        event(
          'Normal',
          'Pulled',
          `Successfully pulled image ${shown} in ${spell(result.tookMs)} (${spell(result.waitedMs)} including waiting). Image size: ${result.image.sizeBytes} bytes.`,
          container.name,
        );
        return;
      }
      event('Warning', 'Failed', `Failed to pull image ${shown}: ${result.message}`, container.name);
      event('Warning', 'Failed', 'Error: ErrImagePull', container.name);
      this.#waiting(run, 'ErrImagePull', result.message);
      const delay = backOff.next(clock.now());
      await this.#sleep(Math.min(1000, delay));
      event('Normal', 'BackOff', `Back-off pulling image ${shown}`, container.name);
      event('Warning', 'Failed', 'Error: ImagePullBackOff', container.name);
      this.#waiting(run, 'ImagePullBackOff', `Back-off pulling image ${shown}: ErrImagePull: ${result.message}`);
      await this.#sleep(delay);
    }
  }

  #waiting(run: ContainerRun, reason: string, message: string): void {
    run.state = { kind: 'waiting', reason, message };
    this.#env.changed();
  }

  async #start(container: Container, run: ContainerRun): Promise<void> {
    this.#check();
    const { event, clock } = this.#env;
    event('Normal', 'Created', `Container created`, container.name);
    event('Normal', 'Started', `Container started`, container.name);
    run.state = { kind: 'running', startedAt: clock.now() };
    const delay = this.#readyDelay(container);
    if (delay === 0) this.#becomeReady(run);
    this.#env.changed();
  }

  #readyDelay(container: Container): number {
    const asked = Number(this.#pod.metadata.annotations?.[simAnnotations.readySeconds] ?? 0) || 0;
    const probes =
      (container.readinessProbe?.initialDelaySeconds ?? 0) + (container.startupProbe?.initialDelaySeconds ?? 0);
    return (asked + (this.#env.readyAtOnce ? 0 : probes)) * 1000;
  }

  #becomeReady(run: ContainerRun): void {
    if (run.state.kind === 'running' && !this.#env.neverReady()) run.ready = true;
  }

  async #runProgram(container: Container, run: ContainerRun, init: boolean): Promise<Exit> {
    const { clock } = this.#env;
    const startedAt = run.state.kind === 'running' ? run.state.startedAt : clock.now();
    if (this.#lacksCommand(container)) return { code: 128, reason: 'StartError', startedAt, finishedAt: clock.now() };
    const { metadata, spec } = this.#pod;
    const program = this.#env.crashes()
      ? ({ kind: 'exits', afterMs: 1000, code: 1 } as const)
      : programOf(container, {
          ...(metadata.annotations ? { annotations: metadata.annotations } : {}),
          restartPolicy: isSidecar(container) ? 'Always' : (spec.restartPolicy ?? 'Always'),
          init: init && !isSidecar(container),
        });
    const delay = this.#readyDelay(container);
    if (delay > 0 && !run.ready) {
      this.#later(Math.max(0, startedAt + delay - clock.now()), () => {
        this.#becomeReady(run);
        this.#env.changed();
      });
    }
    if (program.kind === 'serves') return this.#forever();
    await this.#sleep(Math.max(0, startedAt + program.afterMs - clock.now()));
    return {
      code: program.code,
      reason: program.code === 0 ? 'Completed' : 'Error',
      startedAt,
      finishedAt: clock.now(),
    };
  }

  /** An image that lists its commands, without this one: for example without a shell. */
  #lacksCommand({ image, command }: Container): boolean {
    const reference = parseImage(image);
    const programs = reference && this.#env.images.has(reference)?.programs;
    return programs !== undefined && command?.[0] !== undefined && !programs.includes(command[0]);
  }

  async #backOff(container: Container, run: ContainerRun, exit: Exit, crashes: BackOff): Promise<void> {
    const { clock, event } = this.#env;
    const { name, namespace, uid } = this.#pod.metadata;
    run.last = exit;
    run.restarts += 1;
    if (crashes.delay > 0) {
      const delay = crashes.delay;
      const what = `back-off ${spell(delay)} restarting failed container=${container.name} pod=${name}_${namespace}(${uid})`;
      this.#waiting(run, 'CrashLoopBackOff', what);
      event(
        'Warning',
        'BackOff',
        `Back-off restarting failed container ${container.name} in pod ${name}_${namespace}(${uid})`,
        container.name,
      );
      await this.#sleep(delay);
    }
    crashes.next(clock.now());
    run.state = creating;
  }

  #end(run: ContainerRun, code: number, reason: string): void {
    run.ready = false;
    if (run.state.kind === 'running') {
      run.state = { kind: 'exited', code, reason, startedAt: run.state.startedAt, finishedAt: this.#env.clock.now() };
    }
  }

  #check(): void {
    if (this.#stopped) throw new Stopped();
  }

  #later(ms: number, act: () => void): void {
    const cancel = this.#env.clock.after(ms, () => {
      this.#cancels.delete(cancel);
      if (!this.#stopped) act();
    });
    this.#cancels.add(cancel);
  }

  #sleep(ms: number): Promise<void> {
    this.#check();
    return new Promise((resolve, reject) => {
      const abandon = () => {
        cancel();
        this.#cancels.delete(abandon);
        reject(new Stopped());
      };
      const cancel = this.#env.clock.after(ms, () => {
        this.#cancels.delete(abandon);
        resolve();
      });
      this.#cancels.add(abandon);
    });
  }

  /** Waits for the stop, without a timer. */
  #forever(): Promise<never> {
    this.#check();
    return new Promise((_, reject) => {
      const abandon = () => {
        this.#cancels.delete(abandon);
        reject(new Stopped());
      };
      this.#cancels.add(abandon);
    });
  }
}

/** A restarted kubelet resumes its pods from their status. */
function recover(run: PodRun, pod: Pod): void {
  const known = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  for (const container of [...run.init, ...run.main]) {
    const status = known.find(({ name }) => name === container.name);
    if (!status) continue;
    container.restarts = status.restartCount ?? 0;
    container.imageId = status.imageID ?? '';
    const running = objectAt(status.state, 'running');
    const terminated = objectAt(status.state, 'terminated');
    const startedAt = textAt(running, 'startedAt');
    if (startedAt) {
      container.state = { kind: 'running', startedAt: Date.parse(startedAt) };
      container.ready = status.ready;
    } else if (terminated) {
      container.state = {
        kind: 'exited',
        code: numberAt(terminated, 'exitCode'),
        reason: textAt(terminated, 'reason'),
        startedAt: parseTime(textAt(terminated, 'startedAt')) ?? 0,
        finishedAt: parseTime(textAt(terminated, 'finishedAt')) ?? 0,
      };
    }
  }
}

/** A duration in the format of Go, to the millisecond. */
function spell(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${Number(seconds.toFixed(3))}s`;
  const rest = Number((seconds % 60).toFixed(3));
  return `${Math.floor(seconds / 60)}m${rest}s`;
}

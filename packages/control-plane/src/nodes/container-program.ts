/** The behaviour of a simulated container once it is started. */
export type Program =
  | { readonly kind: 'serves' }
  | { readonly kind: 'exits'; readonly afterMs: number; readonly code: number };

interface ContainerSpec {
  readonly command?: readonly string[];
  readonly args?: readonly string[];
}

/** Annotations of a pod that control its simulated containers. */
export const simAnnotations = {
  exitCode: 'sim.fairlead.dev/exit-code',
  runSeconds: 'sim.fairlead.dev/run-seconds',
  readySeconds: 'sim.fairlead.dev/ready-seconds',
} as const;

const serves: Program = { kind: 'serves' };
/** How long a program that is expected to finish runs by default. */
const usualRunMs = 500;

/**
 * Nothing runs for real. Annotations decide; otherwise a command that is a plain sleep or exit is simulated; otherwise a pod with
 * restartPolicy Always runs, and any other one succeeds.
 */
export function programOf(
  container: ContainerSpec,
  pod: {
    readonly annotations?: Readonly<Record<string, string>>;
    readonly restartPolicy: string;
    readonly init: boolean;
  },
): Program {
  const { annotations = {} } = pod;
  const code = numberOf(annotations[simAnnotations.exitCode]);
  const seconds = numberOf(annotations[simAnnotations.runSeconds]);
  if (!pod.init && (code !== undefined || seconds !== undefined)) {
    return { kind: 'exits', afterMs: (seconds ?? usualRunMs / 1000) * 1000, code: code ?? 0 };
  }
  return (
    written(container) ??
    (pod.init || pod.restartPolicy !== 'Always' ? { kind: 'exits', afterMs: usualRunMs, code: 0 } : serves)
  );
}

function written({ command = [], args = [] }: ContainerSpec): Program | undefined {
  const words = [...command, ...args];
  const shell = words.findIndex((word) => word === '-c' || word === '-ec');
  const text = (shell >= 0 ? (words[shell + 1] ?? '') : words.join(' ')).trim();
  if (/(^|;|&&)\s*(tail -f|sleep (infinity|inf)|while (true|:))/.test(text)) return serves;
  const sleep = /(?:^|;|&&)\s*sleep\s+(\d+(?:\.\d+)?)/.exec(text);
  const exit = /(?:^|;|&&)\s*(?:exit\s+(\d+)|(false)|(true))\s*$/.exec(text);
  if (!sleep && !exit) return undefined;
  return {
    kind: 'exits',
    afterMs: sleep ? Number(sleep[1]) * 1000 : usualRunMs,
    code: exit ? Number(exit[1] ?? (exit[2] ? 1 : 0)) : 0,
  };
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

import { at, type Json, type KubeObject, listAt, numberAt, textAt } from '@fairlead/apimachinery';
import { knownAnnotations } from '../annotations.ts';
import { isHook } from '../sync/hook.ts';
import { type Health, health } from './health.ts';

export function podHealth(pod: KubeObject): Health {
  const message = textAt(pod, 'status', 'message');
  const containers = listAt(pod, 'status', 'containerStatuses');
  const lives = isMeantToLive(pod);
  if (lives) {
    const stuck = containers.filter((container) => isStuck(textAt(container, 'state', 'waiting', 'reason')));
    if (stuck.length > 0) {
      return health('Degraded', stuck.map((container) => textAt(container, 'state', 'waiting', 'message')).join(', '));
    }
  }
  switch (textAt(pod, 'status', 'phase')) {
    case 'Pending':
      return health('Progressing', message);
    case 'Succeeded':
      return health('Healthy', message);
    case 'Failed':
      return health(
        'Degraded',
        message || firstFailure([...listAt(pod, 'status', 'initContainerStatuses'), ...containers]),
      );
    case 'Running':
      return lives ? runningHealth(pod, containers, message) : finiteHealth(pod, message);
    default:
      return health('Unknown', message);
  }
}

/**
 * A pod that runs to completion may fail to pull its image for a while and still succeed; a hook that was abandoned for that would run
 * later unobserved. Only long-running pods become Degraded early.
 */
function isMeantToLive(pod: KubeObject): boolean {
  if (textAt(pod, 'spec', 'restartPolicy') === 'Always') return true;
  return pod.metadata.annotations?.[knownAnnotations.ignoreRestartPolicy.name] === 'true' && !isHook(pod);
}

const isStuck = (reason: string): boolean => /^Err|Error$|BackOff$/u.test(reason);

function runningHealth(pod: KubeObject, containers: readonly Json[], message: string): Health {
  const ready = listAt(pod, 'status', 'conditions').find((condition) => textAt(condition, 'type') === 'Ready');
  if (textAt(ready, 'status') === 'True') return health('Healthy', message);
  const restarted = containers.some((container) => at(container, 'lastState', 'terminated') !== undefined);
  return health(restarted ? 'Degraded' : 'Progressing', message);
}

function finiteHealth(pod: KubeObject, message: string): Health {
  const policy = textAt(pod, 'spec', 'restartPolicy');
  return health(policy === 'OnFailure' || policy === 'Never' ? 'Progressing' : 'Unknown', message);
}

function firstFailure(containers: readonly Json[]): string {
  for (const container of containers) {
    const terminated = at(container, 'state', 'terminated');
    if (!terminated) continue;
    const text = textAt(terminated, 'message');
    if (text !== '') return text;
    if (textAt(terminated, 'reason') === 'OOMKilled') return 'OOMKilled';
    const code = numberAt(terminated, 'exitCode');
    if (code !== 0) return `container "${textAt(container, 'name')}" failed with exit code ${code}`;
  }
  return '';
}

import { condition, degraded, healthy, present, progressing, suspended } from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { byWord } from '../shapes.ts';

export const kubevirt: Rules = {
  'cdi.kubevirt.io/DataVolume': [
    degraded('{it.message}', condition('Running', 'False', { reason: 'Error' })),
    ...byWord('status.phase', '{status.phase}', {
      Healthy: ['Succeeded'],
      Suspended: ['Paused'],
      Degraded: ['Failed'],
    }),
    progressing('{status.phase}', present('status.phase')),
    progressing('No status available'),
  ],
  'kubevirt.io/VirtualMachine': [
    ...byWord('status.printableStatus', '{status.printableStatus}', {
      Suspended: ['Stopped', 'Paused'],
      Degraded: [
        'CrashLoopBackOff',
        'DataVolumeError',
        'ErrImagePull',
        'ErrorDataVolumeNotFound',
        'ErrorPvcNotFound',
        'ErrorUnschedulable',
        'ImagePullBackOff',
      ],
    }),
    healthy('{status.printableStatus}', condition('Ready', 'True')),
    progressing('{status.printableStatus}', present('status.printableStatus')),
    progressing('No status available'),
  ],
  'kubevirt.io/VirtualMachineInstance': [
    ...byWord('status.phase', '{status.phase}', {
      Degraded: ['Failed'],
      Progressing: ['Pending', 'Scheduling', 'Scheduled'],
      Suspended: ['Succeeded'],
      Unknown: ['Unknown'],
    }),
    suspended('{it.message}', condition('Paused', 'True')),
    healthy('Running', condition('Ready', 'True')),
    degraded('{it.message}', condition('Ready')),
    progressing('{status.phase}', present('status.phase')),
    progressing('No status available'),
  ],
};

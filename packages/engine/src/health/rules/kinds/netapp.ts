import { condition, degraded, field, healthy, not, present, progressing, type Rule, suspended } from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { byWord } from '../shapes.ts';

const noStatus = progressing('No status available', not(present('status')));

/** Something that runs once: a backup, a snapshot, or their hooks. */
const run: Rule = [
  noStatus,
  healthy('{kind} Completed', field('status.state', 'Completed')),
  ...byWord('status.state', '{status.state}', { Degraded: ['Failed', 'Error'] }),
  progressing('{kind} {status.state}'),
];

export const netapp: Rules = {
  'astra.netapp.io/Application': [
    noStatus,
    healthy('Astra Application Ready, protectionState: {status.protectionState}', condition('Ready', 'True')),
    degraded('Astra Application Degraded, message: {it.message}', condition('Ready', 'False')),
    progressing('No status available'),
  ],
  'astra.netapp.io/AppVault': [
    noStatus,
    healthy('AppVault Available', field('status.state', 'available')),
    degraded('AppVault Failed', field('status.state', 'failed', 'error')),
    progressing('AppVault {status.state}'),
  ],
  'astra.netapp.io/Backup': run,
  'astra.netapp.io/ExecHooksRun': run,
  'astra.netapp.io/ResourceBackup': [
    progressing('No status available', not(present('status.state'))),
    healthy('{kind} Completed', field('status.state', 'Completed')),
    progressing('{kind} Running', field('status.state', 'Running')),
    degraded('{status.state}'),
  ],
  'astra.netapp.io/ResticVolumeBackup': run,
  'astra.netapp.io/Snapshot': run,
  'astra.netapp.io/ExecHook': [
    healthy('ExecHook enabled', field('spec.enabled', true)),
    suspended('ExecHook disabled', field('spec.enabled', false)),
    progressing('No status available'),
  ],
  'astra.netapp.io/Schedule': [
    healthy('Protection policy lastScheduleTime: {status.lastScheduleTime}', present('status.lastScheduleTime')),
    healthy('Protection policy not yet executed'),
  ],
  'trident.netapp.io/TridentOrchestrator': [
    healthy('{status.message}', field('status.status', 'Installed')),
    degraded('{status.message}', field('status.status', 'Failed', 'Error')),
    progressing('Waiting for trident installation'),
  ],
  'trident.netapp.io/TridentBackendConfig': [
    degraded('{status.message}', field('status.lastOperationStatus', 'Failed')),
    healthy('{status.message}', field('status.lastOperationStatus', 'Success')),
    progressing('Waiting for backend creation'),
  ],
};

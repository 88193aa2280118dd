import assert from 'node:assert/strict';
import { test } from 'node:test';
import { internalForm } from './internal-form.ts';

test('a pod template is printed with all fields of the internal type, in its order', () => {
  const template = {
    spec: {
      restartPolicy: 'Never',
      hostNetwork: true,
      serviceAccount: 'robot',
      serviceAccountName: 'robot',
      containers: [{ name: 'main', image: 'example.com/tool:2', command: ['true'], resources: {} }],
      securityContext: { runAsUser: 0 },
    },
    metadata: { labels: { 'job-name': 'j', app: 'tool' } },
  };
  const { Spec, ...metadata } = Object(internalForm(template, 'core.v1.PodTemplateSpec'));
  assert.equal(JSON.stringify(metadata), '{"labels":{"app":"tool","job-name":"j"}}');
  // Recorded from kube-apiserver 1.36.
  const container =
    '{"Name":"main","Image":"example.com/tool:2","Command":["true"],"Args":null,"WorkingDir":"","Ports":null,"EnvFrom":null,"Env":null,' +
    '"Resources":{"Limits":null,"Requests":null,"Claims":null},"ResizePolicy":null,"RestartPolicy":null,"RestartPolicyRules":null,' +
    '"VolumeMounts":null,"VolumeDevices":null,"LivenessProbe":null,"ReadinessProbe":null,"StartupProbe":null,"Lifecycle":null,' +
    '"TerminationMessagePath":"","TerminationMessagePolicy":"","ImagePullPolicy":"","SecurityContext":null,"Stdin":false,' +
    '"StdinOnce":false,"TTY":false}';
  const context =
    '{"HostNetwork":true,"HostPID":false,"HostIPC":false,"ShareProcessNamespace":null,"HostUsers":null,"SELinuxOptions":null,' +
    '"WindowsOptions":null,"RunAsUser":0,"RunAsGroup":null,"RunAsNonRoot":null,"SupplementalGroups":null,' +
    '"SupplementalGroupsPolicy":null,"FSGroup":null,"FSGroupChangePolicy":null,"Sysctls":null,"SeccompProfile":null,' +
    '"AppArmorProfile":null,"SELinuxChangePolicy":null}';
  assert.equal(
    JSON.stringify(Spec),
    `{"Volumes":null,"InitContainers":null,"Containers":[${container}],"EphemeralContainers":null,"RestartPolicy":"Never",` +
      '"TerminationGracePeriodSeconds":null,"ActiveDeadlineSeconds":null,"DNSPolicy":"","NodeSelector":null,' +
      '"ServiceAccountName":"robot","AutomountServiceAccountToken":null,"NodeName":"",' +
      `"SecurityContext":${context},"ImagePullSecrets":null,"Hostname":"","Subdomain":"","SetHostnameAsFQDN":null,"Affinity":null,` +
      '"SchedulerName":"","Tolerations":null,"HostAliases":null,"PriorityClassName":"","Priority":null,"PreemptionPolicy":null,' +
      '"DNSConfig":null,"ReadinessGates":null,"RuntimeClassName":null,"Overhead":null,"EnableServiceLinks":null,' +
      '"TopologySpreadConstraints":null,"OS":null,"SchedulingGates":null,"ResourceClaims":null,"Resources":null,' +
      '"HostnameOverride":null,"SchedulingGroup":null}',
  );
});

for (const [title, volume, expected] of [
  [
    'a probe, in which the handler is embedded',
    { httpGet: { port: 'web' } },
    ['Exec', 'HTTPGet', 'TCPSocket', 'GRPC', 'InitialDelaySeconds'],
  ],
  ['only delays', { initialDelaySeconds: 3 }, ['Exec', 'HTTPGet', 'TCPSocket', 'GRPC', 'InitialDelaySeconds']],
] as const) {
  test(`the internal form of ${title}`, () => {
    const spec = { containers: [{ name: 'a', livenessProbe: volume }] };
    const [container] = Object(internalForm(spec, 'core.v1.PodSpec')).Containers;
    assert.deepEqual(Object.keys(container.LivenessProbe).slice(0, 5), expected);
  });
}

test('sources of volumes have the names and the order of Go', () => {
  const source = internalForm({ rbd: { monitors: ['a'], image: 'i' } }, 'core.v1.PersistentVolumeSource');
  assert.deepEqual(Object.keys(Object(source)), [
    ...[
      'GCEPersistentDisk',
      'AWSElasticBlockStore',
      'HostPath',
      'Glusterfs',
      'NFS',
      'RBD',
      'Quobyte',
      'ISCSI',
      'FlexVolume',
    ],
    ...['Cinder', 'CephFS', 'FC', 'Flocker', 'AzureFile', 'VsphereVolume', 'AzureDisk', 'PhotonPersistentDisk'],
    ...['PortworxVolume', 'ScaleIO', 'Local', 'StorageOS', 'CSI'],
  ]);
  assert.deepEqual(Object.keys(Object(source).RBD).slice(0, 5), [
    'CephMonitors',
    'RBDImage',
    'FSType',
    'RBDPool',
    'RadosUser',
  ]);
});

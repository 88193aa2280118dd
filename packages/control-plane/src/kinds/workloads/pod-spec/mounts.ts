import { fieldError } from '@fairlead/apimachinery';
import { type Findings, oneOf, unsupported } from '../checks.ts';
import { descendingPath, hasBackstep } from './paths.ts';
import type { Container, VolumeMount } from './types.ts';
import type { Volume } from './volume-types.ts';

/** Valid volumes by name, which a container may mount. */
export type Volumes = ReadonlyMap<string, Volume>;

/** Some paths here lack the index of their mount, as on a real server. */
export function* mounts(container: Container, volumes: Volumes, path: string): Findings {
  const devices = container.volumeDevices ?? [];
  const taken = new Set<string>();
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
    const at = `${path}[${index}]`;
    const name = mount.name ?? '';
    const mountPath = mount.mountPath ?? '';
    if (!name) yield fieldError.required(`${at}.name`);
    if (!volumes.has(name)) yield fieldError.notFound(`${at}.name`, name);
    if (!mountPath) yield fieldError.required(`${at}.mountPath`);
    if (taken.has(mountPath)) yield fieldError.invalid(`${at}.mountPath`, mountPath, 'must be unique');
    taken.add(mountPath);
    if (devices.some((device) => (device.name ?? '') === name)) {
      yield fieldError.invalid(`${at}.name`, name, 'must not already exist in volumeDevices');
    }
    if (devices.some((device) => (device.devicePath ?? '') === mountPath)) {
      yield fieldError.invalid(`${at}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices');
    }
    if (mount.subPath) yield* descendingPath(mount.subPath, `${path}.subPath`);
    if (mount.subPathExpr) {
      if (mount.subPath) {
        const detail = 'subPathExpr and subPath are mutually exclusive';
        yield fieldError.invalid(`${at}.subPathExpr`, mount.subPathExpr, detail);
      }
      yield* descendingPath(mount.subPathExpr, `${path}.subPathExpr`);
    }
    yield* propagation(mount, container, `${path}.mountPropagation`);
    yield* recursiveReadOnly(mount, `${path}.recursiveReadOnly`);
  }
}

function* propagation({ mountPropagation: mode }: VolumeMount, container: Container, path: string): Findings {
  if (mode == null) return;
  yield* oneOf(mode, ['Bidirectional', 'HostToContainer', 'None'], path);
  if (mode === 'Bidirectional' && !container.securityContext?.privileged) {
    yield fieldError.forbidden(path, 'Bidirectional mount propagation is available only to privileged containers');
  }
}

function* recursiveReadOnly(mount: VolumeMount, path: string): Findings {
  const mode = mount.recursiveReadOnly;
  if (mode == null || mode === 'Disabled') return;
  if (mode !== 'Enabled' && mode !== 'IfPossible') {
    return yield unsupported(path, mode, ['Disabled', 'Enabled', 'IfPossible']);
  }
  if (!mount.readOnly) yield fieldError.forbidden(path, 'may only be specified when readOnly is true');
  if (mount.mountPropagation != null && mount.mountPropagation !== 'None') {
    const detail = 'may only be specified when mountPropagation is None or not specified';
    yield fieldError.forbidden(path, detail);
  }
}

export function* devices(container: Container, volumes: Volumes, path: string): Findings {
  const mounted = new Map((container.volumeMounts ?? []).map((mount) => [mount.name ?? '', mount.mountPath ?? '']));
  const mountedPaths = new Set(mounted.values());
  const names = new Set<string>();
  const paths = new Set<string>();
  for (const [index, device] of (container.volumeDevices ?? []).entries()) {
    const at = `${path}[${index}]`;
    const name = device.name ?? '';
    const devicePath = device.devicePath ?? '';
    const volume = volumes.get(name);
    if (!name) yield fieldError.required(`${at}.name`);
    if (names.has(name)) yield fieldError.invalid(`${at}.name`, name, 'must be unique');
    if (volume && !volume.persistentVolumeClaim && !volume.ephemeral) {
      const detail = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      yield fieldError.invalid(`${at}.name`, name, detail);
    }
    if (!volume) yield fieldError.notFound(`${at}.name`, name);
    if (!devicePath) yield fieldError.required(`${at}.devicePath`);
    if (paths.has(devicePath)) yield fieldError.invalid(`${at}.devicePath`, devicePath, 'must be unique');
    if (hasBackstep(devicePath)) {
      yield fieldError.invalid(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')");
    } else paths.add(devicePath);
    if (mounted.has(name)) {
      yield fieldError.invalid(`${at}.name`, name, 'must not already exist in volumeMounts');
    }
    if (mountedPaths.has(devicePath)) {
      yield fieldError.invalid(`${at}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts');
    }
    if (name) names.add(name);
  }
}

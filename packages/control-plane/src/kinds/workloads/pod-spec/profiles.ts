import { fieldError } from '@fairlead/apimachinery';
import { type Findings, unsupported } from '../checks.ts';
import { descendingPath } from './paths.ts';
import type { Profile } from './types.ts';

const types = ['Localhost', 'RuntimeDefault', 'Unconfined'];

export function* seccompProfile(profile: Profile | undefined, path: string): Findings {
  if (!profile) return;
  const local = profile.localhostProfile;
  if (!profile.type) yield fieldError.required(`${path}.type`, 'type is required when seccompProfile is set');
  else if (!types.includes(profile.type)) yield unsupported(`${path}.type`, profile.type, types);
  if (profile.type === 'Localhost') {
    if (local == null) {
      yield fieldError.required(`${path}.localhostProfile`, 'must be set when seccomp type is Localhost');
    } else yield* descendingPath(local, `${path}.localhostProfile`);
  } else if (local != null) {
    const value = { Type: profile.type ?? '', LocalhostProfile: local };
    yield fieldError.invalid(`${path}.localhostProfile`, value, 'can only be set when seccomp type is Localhost');
  }
}

export function* appArmorProfile(profile: Profile | undefined, path: string): Findings {
  if (!profile) return;
  const local = profile.localhostProfile;
  const at = `${path}.localhostProfile`;
  if (!profile.type) yield fieldError.required(`${path}.type`, 'type is required when appArmorProfile is set');
  else if (!types.includes(profile.type)) yield unsupported(`${path}.type`, profile.type, types);
  else if (profile.type !== 'Localhost') {
    if (local != null) yield fieldError.invalid(at, local, 'can only be set when AppArmor type is Localhost');
  } else if (local == null) yield fieldError.required(at, 'must be set when AppArmor type is Localhost');
  else {
    if (local.trim() !== local) yield fieldError.invalid(at, local, 'must not be padded with whitespace');
    else if (local === '') yield fieldError.required(at, 'must be set when AppArmor type is Localhost');
    if (Buffer.byteLength(local) > 4095) yield fieldError.tooLong(at, 4095);
  }
}

import { type Application, type ApplicationSetStatus, applicationKind } from '@fairlead/api';

type Resource = NonNullable<ApplicationSetStatus['resources']>[number];

/** The status with the Applications that there are, up to a number of them; 0 for all. */
export function withResources(
  status: ApplicationSetStatus,
  applications: readonly Application[],
  most: number,
): ApplicationSetStatus {
  const all = applications.map(resourceOf).sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1));
  const { resources: _, resourcesCount: __, ...rest } = status;
  const listed = most > 0 ? all.slice(0, most) : all;
  return {
    ...rest,
    ...(listed.length > 0 ? { resources: listed } : {}),
    ...(all.length > 0 ? { resourcesCount: all.length } : {}),
  };
}

function resourceOf({ metadata, status }: Application): Resource {
  const { group, version, kind } = applicationKind.type;
  const { status: health } = status?.health ?? {};
  const { status: sync } = status?.sync ?? {};
  return {
    group,
    version,
    kind,
    name: metadata.name,
    ...(metadata.namespace ? { namespace: metadata.namespace } : {}),
    ...(sync ? { status: sync } : {}),
    health: health ? { status: health } : {},
  };
}

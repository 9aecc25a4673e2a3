import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";

type Manifest = { apiVersion: string; kind: string; metadata: { name: string }; spec?: object };
type Pod = { spec: PodSpec; metadata: { labels: Record<string, string> } };
type PodSpec = {
  automountServiceAccountToken: boolean;
  serviceAccountName: string;
  securityContext: object;
  containers: Container[];
  volumes: { name: string }[];
};
type Container = {
  args: string[];
  env?: { name: string }[];
  ports: { name: string; containerPort: number }[];
  securityContext: object;
  volumeMounts: { name: string; mountPath: string }[];
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } };
};

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
const kustomization = parse(read("kubernetes/kustomization.yaml"));
const manifests: Manifest[] = kustomization.resources.flatMap((name: string) =>
  parseAllDocuments(read(`kubernetes/${name}`)).map((document) => document.toJS()),
);
const deployments = manifests.filter(({ kind }) => kind === "Deployment") as (Manifest & {
  spec: { template: Pod; selector: { matchLabels: object } };
})[];

/** What TypeScript finds wrong with the manifests by the types of Kubernetes: unknown and missing fields, and wrong types. */
function check(checked: Manifest[]): string[] {
  const file = fileURLToPath(new URL("manifests.ts", import.meta.url));
  const lines = checked.map((manifest) => {
    const group = manifest.apiVersion === "v1" ? "core/v1" : manifest.apiVersion.replace(/[.][^/]*/, "");
    return `(${JSON.stringify(manifest)}) satisfies import("kubernetes-types/${group}").${manifest.kind};`;
  });
  const options = {
    module: ts.ModuleKind.Preserve,
    strict: true,
    types: [],
    lib: ["lib.es5.d.ts"],
    skipLibCheck: true,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, version) =>
    name === file ? ts.createSourceFile(name, lines.join("\n"), version) : getSourceFile(name, version);
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

test("every manifest is valid by the types of Kubernetes", () => {
  expect(manifests.length).toBeGreaterThan(10);
  expect(check(manifests)).toEqual([]);
  const [deployment] = deployments as [Manifest];
  expect(check([{ ...deployment, spec: { ...deployment.spec, replica: 1 } }])).toMatchObject([
    expect.stringContaining("'\"replica\"' does not exist"),
  ]);
});

test("what is applied before kustomize names the namespace is in it all the same", () => {
  const [namespace, ...others] = parseAllDocuments(read("kubernetes/namespace.yaml")).map((document) =>
    document.toJS(),
  );
  expect(namespace.metadata.name).toBe(kustomization.namespace);
  expect(others.map(({ metadata }) => metadata.namespace)).toEqual([kustomization.namespace]);
});

test("pods have no privileges, no token, and nowhere to write but their volumes", () => {
  expect(deployments.map(({ metadata }) => metadata.name)).toEqual(["indexer", "serve"]);
  for (const { spec } of deployments) {
    const pod = spec.template.spec;
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    });
    for (const { securityContext, volumeMounts } of pod.containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      const volumes = pod.volumes.map(({ name }) => name);
      expect(volumeMounts.map(({ name }) => name).sort()).toEqual(volumes.sort());
    }
  }
  // With its own user, whom the image names by number.
  expect(read("Containerfile")).toContain("USER 10001");
  expect(deployments[0]?.spec.template.spec.securityContext).toMatchObject({ runAsUser: 10_001 });
});

test("with images in S3, each pod has a volume of its own in place of the claim", () => {
  const component = parse(read("kubernetes/s3/kustomization.yaml"));
  expect([component.kind, component.patches.map(({ path }: { path: string }) => path)]).toEqual([
    "Component",
    ["images.yaml", "no-claim.yaml"],
  ]);
  const [checked, replaced] = parse(read("kubernetes/s3/images.yaml"));
  expect(checked).toEqual({ op: "test", path: `${replaced.path}/name`, value: "images" });
  for (const deployment of deployments) {
    const { volumes } = deployment.spec.template.spec;
    const index = Number(replaced.path.replace("/spec/template/spec/volumes/", ""));
    expect(volumes[index]?.name).toBe("images");
    const patched = structuredClone(deployment);
    patched.spec.template.spec.volumes[index] = replaced.value;
    expect(check([patched])).toEqual([]);
    expect(JSON.stringify(patched)).not.toContain("persistentVolumeClaim");
  }
  const { $patch, kind, metadata } = parse(read("kubernetes/s3/no-claim.yaml"));
  const claims = manifests.filter((manifest) => manifest.kind === "PersistentVolumeClaim");
  expect(claims.map((claim) => [claim.kind, claim.metadata])).toEqual([[kind, metadata]]);
  expect($patch).toBe("delete");
});

test("images, scripts, ports, probes and settings are those of the service", () => {
  const { version } = JSON.parse(read("../package.json"));
  expect(kustomization.images).toEqual([{ name: "launchpad-indexer", newTag: version }]);
  const settings = Array.from(
    read("kubernetes/settings.env").matchAll(/^(\w+)=(.*)$/gm),
    ([, name, value]) => [name, value],
  );
  const { METRICS_PORT } = Object.fromEntries(settings);
  const used = deployments.flatMap(({ spec }) =>
    spec.template.spec.containers.flatMap(({ env = [] }) => env.map(({ name }) => name)),
  );
  const known = new Set(Array.from(read("../.env.example").matchAll(/^#?(\w+)=/gm), ([, name]) => name));
  expect([...settings.map(([name]) => name), ...used].filter((name) => !known.has(name))).toEqual([]);
  for (const { spec } of deployments) {
    for (const { args, ports, ...container } of spec.template.spec.containers) {
      expect(read(`../${args[0]}`)).toContain("createSupervisor");
      expect(ports).toEqual([
        { name: "http", containerPort: 42_069 },
        { name: "metrics", containerPort: Number(METRICS_PORT) },
      ]);
      expect(container.livenessProbe?.httpGet).toEqual({ path: "/health", port: "http" });
      expect(container.readinessProbe?.httpGet).toEqual({ path: "/ready", port: "http" });
    }
  }
});

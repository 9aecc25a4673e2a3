import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "../parts/problem.tsx";

/** Creates a page whose code is loaded when it is first shown. */
export function lazyPage<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Waiting: ComponentType,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function LazyPage(props: Props) {
    const [failure, setFailure] = useState<unknown>();
    const [, setIsLoaded] = useState(loaded !== undefined);
    useEffect(() => {
      if (loaded !== undefined) return;
      load().then((module) => {
        loaded = module.default;
        setIsLoaded(true);
      }, setFailure);
    }, []);
    if (failure !== undefined) {
      return <Problem error={failure} retry={() => location.reload()} isManual />;
    }
    const Page = loaded;
    return Page === undefined ? <Waiting /> : <Page {...props} />;
  };
}

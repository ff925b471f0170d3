package main

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
)

// declared is what a Tiltfile came to, with the rules by which Tilt would refuse it.
type declared struct {
	Calls   map[string][]any `json:"calls"`
	Objects []any            `json:"objects"`
	// objects that belong to a resource already
	taken     map[string]string
	resources map[string]bool
	needs     map[string][]string
}

func newDeclared() *declared {
	return &declared{
		Calls: map[string][]any{}, Objects: []any{},
		taken: map[string]string{}, resources: map[string]bool{}, needs: map[string][]string{},
	}
}

func (d *declared) add(name string, call *starlark.Dict) error {
	value, err := fromStarlark(call)
	if err != nil {
		return err
	}
	d.Calls[name] = append(d.Calls[name], value)
	given := arguments{}
	for _, pair := range call.Items() {
		key, _ := starlark.AsString(pair[0])
		given[key] = pair[1]
	}
	switch name {
	case "k8s_resource":
		return d.addResource(given)
	case "local_resource":
		return d.claim(given.text("name"), given)
	}
	return nil
}

func (d *declared) addObjects(given arguments) (starlark.Value, error) {
	all, err := decodeStream(given.text("yaml"))
	if err != nil {
		return nil, err
	}
	for one := range starlark.Elements(all) {
		object, err := fromStarlark(one)
		if err != nil {
			return nil, err
		}
		d.Objects = append(d.Objects, object)
	}
	return starlark.None, nil
}

func (d *declared) addResource(given arguments) error {
	name := given.text("workload")
	if name == "" {
		name = given.text("new_name")
	} else if !d.isWorkload(name) {
		return fmt.Errorf("k8s_resource: no workload is called %q", name)
	}
	for _, selector := range given.texts("objects") {
		if found := d.matching(selector); found != 1 {
			return fmt.Errorf("k8s_resource: %d objects are %q", found, selector)
		}
		if owner, ok := d.taken[selector]; ok {
			return fmt.Errorf("k8s_resource: %q belongs to %q already", selector, owner)
		}
		d.taken[selector] = name
	}
	return d.claim(name, given)
}

func (d *declared) claim(name string, given arguments) error {
	if d.resources[name] {
		return fmt.Errorf("two resources are called %q", name)
	}
	d.resources[name] = true
	d.needs[name] = given.texts("resource_deps")
	return nil
}

func (d *declared) isWorkload(name string) bool {
	for _, kind := range []string{"deployment", "statefulset", "job"} {
		if d.matching(name+":"+kind) == 1 {
			return true
		}
	}
	return false
}

func (d *declared) matching(selector string) int {
	found := 0
	for _, one := range d.Objects {
		object := one.(map[string]any)
		name := fmt.Sprint(object["metadata"].(map[string]any)["name"], ":", object["kind"])
		if strings.EqualFold(name, selector) {
			found++
		}
	}
	return found
}

// check holds what can only be said at the end: whoever is waited for exists, and waits for nobody
// who waits for them.
func (d *declared) check() error {
	state := map[string]int{}
	var visit func(string) error
	visit = func(name string) error {
		if !d.resources[name] {
			return fmt.Errorf("resource_deps: nobody is called %q", name)
		}
		if state[name] == 1 {
			return fmt.Errorf("resource_deps: %q waits for itself", name)
		}
		if state[name] == 2 {
			return nil
		}
		state[name] = 1
		for _, need := range d.needs[name] {
			if err := visit(need); err != nil {
				return err
			}
		}
		state[name] = 2
		return nil
	}
	for name := range d.resources {
		if err := visit(name); err != nil {
			return err
		}
	}
	return nil
}
